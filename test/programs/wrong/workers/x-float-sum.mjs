/**
 * Two workers add up their halves of a list of weights.
 * Wrong: both add to one cell, by a read and a write.
 */
// expects: atomicity, order-violation, data-race at main#1[0]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const WEIGHTS = [0.5, 1.5, 2.5, 3.5]

if (isMainThread) {
  const sums = new Float64Array(new SharedArrayBuffer(16))
  const ends = []
  for (let half = 0; half < 2; half++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { sums, half } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  const sum = sums[0] + sums[1]
  assert.equal(sum, 8)
  console.log(`they weigh ${sum}`)
} else {
  const { sums, half } = workerData
  for (const weight of WEIGHTS.slice(2 * half, 2 * half + 2)) sums[0] += weight // bug
}
