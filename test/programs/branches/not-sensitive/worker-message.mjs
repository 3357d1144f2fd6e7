/** What a message announces is there when the message is. */
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  await once(worker, 'message')
  if (memory[0] !== 7) throw new Error('never')
  console.log('seven')
} else {
  workerData[0] = 7
  parentPort.postMessage('written')
}
