/** Who gets the lock at once writes the journal; the other leaves it. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  const exit = once(worker, 'exit')
  tryToWrite(memory)
  await exit
  console.log(memory[1] > 0 ? 'written' : 'not written')
} else tryToWrite(workerData)

function tryToWrite(memory) {
  if (Atomics.compareExchange(memory, 0, 0, 1) === 0) memory[1] = 1 // sensitive: benign
}
