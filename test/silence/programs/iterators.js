/** Async iterators: for await, early return that cleans up, and events read as a stream. */
import assert from 'node:assert'
import { EventEmitter, on } from 'node:events'
import { opendir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as next, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

let cleaned = false
async function* count() {
  try {
    for (let i = 0; ; i++) {
      await (i % 2 ? next() : sleep(1))
      yield i
    }
  } finally {
    cleaned = true
  }
}
const seen = []
for await (const i of count()) {
  seen.push(i)
  if (i === 4) break
}
assert.ok(cleaned)
assert.deepEqual(seen, [0, 1, 2, 3, 4])

let entries = 0
for await (const entry of await opendir(dirname(fileURLToPath(import.meta.url)))) if (entry.isFile()) entries++
assert.ok(entries > 10)

const emitter = new EventEmitter()
const stop = new AbortController()
const ticks = on(emitter, 'tick', { signal: stop.signal })
let sent = 0
const timer = setInterval(() => emitter.emit('tick', ++sent), 2)
const got = []
try {
  for await (const [n] of ticks) {
    got.push(n)
    if (n === 3) stop.abort()
  }
} catch (error) {
  assert.equal(error.name, 'AbortError')
}
clearInterval(timer)
assert.deepEqual(got.slice(0, 3), [1, 2, 3])
console.log('counted')
