/** A thread that spins until a flag is set, then reads what the flag announces. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const READY = 0
const ANSWER = 1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  const exit = once(worker, 'exit')
  memory[ANSWER] = 42
  Atomics.store(memory, READY, 1)
  await exit
  console.log('over')
} else {
  while (Atomics.load(workerData, READY) === 0); // sensitive: ad hoc
  if (workerData[ANSWER] !== 42) throw new Error('announced too early') // not sensitive
}
