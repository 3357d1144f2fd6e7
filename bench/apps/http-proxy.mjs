/** A proxy with kept connections between clients and a server whose answers come in parts. */
import assert from 'node:assert/strict'
import { Agent, createServer, request } from 'node:http'
import { request as ask } from 'undici'
import { listening, sleep, together } from './_parts.mjs'

const origin = await listening(
  createServer(async (req, res) => {
    for (let i = 0; i < 3; i++) {
      res.write(`${req.url} ${i}\n`)
      await sleep(4)
    }
    res.end('end')
  }).listen(0),
)
const agent = new Agent({ keepAlive: true, maxSockets: 2 })
const proxy = await listening(
  createServer((req, res) => {
    const up = request({ port: origin.port, path: req.url, agent }, (answer) => {
      res.writeHead(answer.statusCode, { 'x-proxy': 'yes' })
      answer.pipe(res)
    })
    up.on('error', () => res.destroy())
    req.pipe(up)
  }).listen(0),
)
const bodies = await together(5, async (i) => {
  const { body, headers } = await ask(`${proxy.url}/p${i}`)
  assert.equal(headers['x-proxy'], 'yes')
  return body.text()
})
for (const [i, body] of bodies.entries()) assert.equal(body, `/p${i} 0\n/p${i} 1\n/p${i} 2\nend`)
agent.destroy()
await proxy.close()
await origin.close()
process.exitCode = 0
console.log('bodies:', bodies.length)
