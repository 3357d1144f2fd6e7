/** A thread sleeps until it is told; one that comes late does not sleep. Either way the answer is there. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const TOLD = 0
const ANSWER = 1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  const exit = once(worker, 'exit')
  memory[ANSWER] = 42
  Atomics.store(memory, TOLD, 1)
  Atomics.notify(memory, TOLD)
  await exit
  console.log('told')
} else {
  Atomics.wait(workerData, TOLD, 0)
  if (workerData[ANSWER] !== 42) throw new Error('never')
}
