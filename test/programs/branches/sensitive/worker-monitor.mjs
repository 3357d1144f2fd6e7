/** TAME, figure 1 with threads: a worker measures and sets a flag in shared memory; the main thread picks its protocol by it. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const isGood = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL(import.meta.url), { workerData: isGood })
  const exit = once(worker, 'exit')
  const sent = isGood[0] === 1 ? sendFast() : sendSlowly() // sensitive: benign
  await exit
  console.log(`sent ${sent}`)
} else workerData[0] = 1

function sendFast() {
  return 1
}

function sendSlowly() {
  return 1
}
