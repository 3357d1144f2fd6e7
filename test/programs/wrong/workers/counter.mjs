/**
 * Three workers count the visits of a page in shared memory.
 * Wrong: `visits[0]++` is a read and a write. If another worker writes between the two, its visits are lost. Workers start one after the other
 * and count for some microseconds, so they hardly ever meet.
 */
// expects: atomicity, order-violation, data-race at main#1[0]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const EACH = 20
if (isMainThread) {
  const visits = new Int32Array(new SharedArrayBuffer(4))
  const ends = []
  for (let i = 0; i < 3; i++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: visits })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.equal(visits[0], 3 * EACH, 'visits were lost')
  console.log(`${visits[0]} visits`)
} else {
  const visits = workerData
  for (let i = 0; i < EACH; i++) visits[0]++ // bug
}
