/** Two workers add; the sum is looked at when both have ended. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const sum = new Int32Array(new SharedArrayBuffer(4))
  const ends = [3, 4].map((n) => once(new Worker(new URL(import.meta.url), { workerData: { sum, n } }), 'exit'))
  await Promise.all(ends)
  if (sum[0] !== 7) throw new Error('never')
  console.log('seven')
} else Atomics.add(workerData.sum, 0, workerData.n)
