/** A worker does one job for the main thread and then has nothing to do; the main thread ends it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

if (isMainThread) {
  const jobs = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL(import.meta.url), { workerData: jobs })
  worker.postMessage('Heddle')
  const [answer] = await once(worker, 'message')
  await worker.terminate()
  assert.equal(answer, 'HEDDLE')
  assert.equal(jobs[0], 1)
  console.log(`${jobs[0]} job: ${answer}`)
} else {
  parentPort.on('message', (word) => {
    workerData[0]++
    parentPort.postMessage(word.toUpperCase())
  })
}
