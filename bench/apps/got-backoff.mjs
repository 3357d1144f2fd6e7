/** A client that tries again and has deadlines, and a server that is busy at first. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import got from 'got'
import { listening, together } from './_parts.mjs'

const asked = new Map()
const { url, close } = await listening(
  createServer((req, res) => {
    const nth = (asked.get(req.url) ?? 0) + 1
    asked.set(req.url, nth)
    if (nth < 3) res.writeHead(503).end()
    else res.end(`${req.url} ${nth}`)
  }).listen(0),
)
const retry = { limit: 4, calculateDelay: ({ attemptCount }) => (attemptCount > 4 ? 0 : attemptCount * 15) }
const bodies = await together(4, (i) => got(`${url}/r${i}`, { retry, timeout: { request: 5000 } }).text())
assert.deepEqual(bodies, ['/r0 3', '/r1 3', '/r2 3', '/r3 3'])
await close()
console.log(bodies.join(', '))
