/**
 * Two counters sell numbered tickets. The next number is in shared memory.
 * Wrong: each access is atomic, but the load and the store are two of them. Two workers that load before either stores sell the same number.
 */
// expects: atomicity, order-violation, data-race at main#1[0]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

if (isMainThread) {
  const next = new Int32Array(new SharedArrayBuffer(4))
  const sold = []
  const ends = []
  for (let i = 0; i < 2; i++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: next })
    worker.on('message', (numbers) => sold.push(...numbers))
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.equal(new Set(sold).size, 8, 'a ticket was sold twice')
  console.log('8 tickets sold')
} else {
  const next = workerData
  const numbers = []
  while (numbers.length < 4) {
    const number = Atomics.load(next, 0) // bug
    Atomics.store(next, 0, number + 1) // bug
    numbers.push(number)
  }
  parentPort.postMessage(numbers)
}
