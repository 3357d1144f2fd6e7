/** Both threads write 1; nobody can tell whose it is. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL(import.meta.url), { workerData: flag })
  const exit = once(worker, 'exit')
  Atomics.store(flag, 0, 1)
  if (Atomics.load(flag, 0) !== 1) throw new Error('never')
  await exit
  console.log('marked')
} else Atomics.store(workerData, 0, 1)
