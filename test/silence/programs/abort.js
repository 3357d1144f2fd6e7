/** AbortController: what was begun is stopped, and stopping twice or too late does no harm. */
import assert from 'node:assert'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const controller = new AbortController()
const { signal } = controller
const waiting = assert.rejects(sleep(60_000, null, { signal }), { name: 'AbortError' })
const read = readFile(new URL(import.meta.url), { signal }).then(
  (data) => data.length > 0,
  (error) => error.name === 'AbortError',
)
let heard = 0
signal.addEventListener('abort', () => heard++, { once: true })
setTimeout(() => controller.abort(), 10)
await waiting
controller.abort()
assert.ok(await read)
assert.equal(heard, 1)
await assert.rejects(sleep(1, null, { signal }), { name: 'AbortError' })
console.log('stopped')
