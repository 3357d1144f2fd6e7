/** The main thread sleeps, without blocking, until a worker has loaded a table. It waits on the very value that says so, and looks again. */
import assert from 'node:assert/strict'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const LOADED = 0
const TABLE = 1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * 5))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  while (Atomics.load(memory, LOADED) === 0) await Atomics.waitAsync(memory, LOADED, 0).value
  assert.deepEqual([...memory.subarray(TABLE)], [2, 3, 5, 7])
  worker.postMessage('no more work')
  console.log('the table is there')
} else {
  const memory = workerData
  parentPort.once('message', () => {})
  memory.set([2, 3, 5, 7], TABLE)
  Atomics.store(memory, LOADED, 1)
  Atomics.notify(memory, LOADED)
}
