/**
 * The main thread sleeps, without blocking, until a worker has loaded a table and rings a bell.
 * Wrong: it looks for the table first and then waits on the bell, whose value never changes. A ring between the two is lost; then the main
 * thread waits for the worker and the worker for the main thread.
 */
// expects: deadlock, order-violation, atomicity at main#1[
import assert from 'node:assert/strict'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const LOADED = 0
const BELL = 1
const TABLE = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * 6))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  if (Atomics.load(memory, LOADED) === 0) await Atomics.waitAsync(memory, BELL, 0).value // bug
  assert.deepEqual([...memory.subarray(TABLE)], [2, 3, 5, 7])
  worker.postMessage('no more work')
  console.log('the table is there')
} else {
  const memory = workerData
  parentPort.once('message', () => {})
  memory.set([2, 3, 5, 7], TABLE)
  Atomics.store(memory, LOADED, 1) // bug
  Atomics.notify(memory, BELL) // bug
}
