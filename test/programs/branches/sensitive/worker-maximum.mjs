/** Two threads keep the largest number they saw. Between the comparison and the write the other one may have written a larger one. */
// expects: atomicity, order-violation at [0]
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const largest = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL(import.meta.url), { workerData: largest })
  const exit = once(worker, 'exit')
  saw(largest, 5)
  await exit
  if (largest[0] !== 8) throw new Error(`the largest is ${largest[0]}`) // sensitive: harmful
  console.log('the largest is 8')
} else saw(workerData, 8)

function saw(largest, n) {
  if (n > largest[0]) largest[0] = n // sensitive: benign
  // bug
}
