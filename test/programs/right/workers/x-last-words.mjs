/** The main thread ends a worker when it is ready, and prints what it said. The worker is ready after its last words have arrived. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

if (isMainThread) {
  const ready = new Int32Array(new SharedArrayBuffer(4))
  const words = []
  const worker = new Worker(new URL(import.meta.url), { workerData: ready })
  worker.on('message', (word) => words.push(word))
  while (words.length < 2) await once(worker, 'message')
  while (Atomics.load(ready, 0) === 0) Atomics.wait(ready, 0, 0)
  await worker.terminate()
  assert.deepEqual(words, ['one', 'two'])
  console.log(words.join(' '))
} else {
  parentPort.postMessage('one')
  parentPort.postMessage('two')
  Atomics.store(workerData, 0, 1)
  Atomics.notify(workerData, 0)
  setInterval(() => {}, 1000)
}
