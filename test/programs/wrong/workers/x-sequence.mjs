/**
 * Two workers number their orders; numbers are 64 bits wide and unique.
 * Wrong: the next number is read in one step and written in another.
 */
// expects: atomicity, order-violation, data-race at main#1[0]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const last = new BigInt64Array(new SharedArrayBuffer(8)).fill(2n ** 40n)
  const numbers = new BigInt64Array(new SharedArrayBuffer(32))
  const ends = []
  for (let i = 0; i < 2; i++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { last, mine: numbers.subarray(2 * i, 2 * i + 2) } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.equal(new Set(numbers).size, 4)
  console.log(`${numbers.length} orders`)
} else {
  const { last, mine } = workerData
  for (let i = 0; i < 2; i++) mine[i] = next(last)
}

function next(last) {
  const number = Atomics.load(last, 0) + 1n // bug
  Atomics.store(last, 0, number) // bug
  return number
}
