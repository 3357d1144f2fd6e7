/** Work in a queue with a limit, delays, and retries that back off. */
import assert from 'node:assert/strict'
import PQueue from 'p-queue'
import pRetry from 'p-retry'
import { sleep } from './_parts.mjs'

const queue = new PQueue({ concurrency: 3, interval: 20, intervalCap: 2 })
const tries = new Map()
const done = []
for (let i = 0; i < 8; i++) {
  void queue.add(() =>
    pRetry(
      async () => {
        const nth = (tries.get(i) ?? 0) + 1
        tries.set(i, nth)
        await sleep(3 + (i % 3))
        if (i % 4 === 0 && nth < 3) throw new Error('not yet')
        done.push(i)
      },
      { retries: 3, minTimeout: 10, factor: 2 },
    ),
  )
}
await queue.onIdle()
assert.deepEqual([...done].sort(), [0, 1, 2, 3, 4, 5, 6, 7])
assert.deepEqual([tries.get(0), tries.get(1), tries.get(4)], [3, 1, 3])
console.log('done:', done.join(' '))
