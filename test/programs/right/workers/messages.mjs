/**
 * A counter in shared memory goes around: who has the message may count. No access is atomic and there is no lock: each message comes after all that its
 * sender did.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const ROUNDS = 4

if (isMainThread) {
  const counter = new Int32Array(new SharedArrayBuffer(4))
  const workers = [0, 1].map(() => new Worker(new URL(import.meta.url), { workerData: counter }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const worker of workers) {
      worker.postMessage('your turn')
      await once(worker, 'message')
      counter[0]++
    }
  }
  for (const worker of workers) worker.postMessage('stop')
  await Promise.all(workers.map((worker) => once(worker, 'exit')))
  assert.equal(counter[0], 4 * ROUNDS)
  console.log(`counted to ${counter[0]}`)
} else {
  parentPort.on('message', (message) => {
    if (message === 'stop') return parentPort.close()
    workerData[0]++
    parentPort.postMessage('your turn')
  })
}
