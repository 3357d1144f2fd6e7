/** A worker is waited for with Atomics.wait for a second at most, and asked again twice. */
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const state = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL(import.meta.url), { workerData: state })
  await new Promise((resolve) => worker.once('online', resolve))
  for (let tries = 0; tries < 3 && Atomics.load(state, 0) === 0; tries++) Atomics.wait(state, 0, 0, 1000)
  if (Atomics.load(state, 0) !== 1) throw new Error('the worker did not say anything')
  console.log('it said so')
} else {
  Atomics.store(workerData, 0, 1)
  Atomics.notify(workerData, 0)
}
