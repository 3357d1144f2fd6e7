/** TAME, figure 8 with threads: behind the lock the 1 is never seen, and the other cell is another one. */
// flags: --exclude **/_lock.mjs
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'
import { lock, unlock } from './_lock.mjs'

const X = 1
const OTHER_X = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(12))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  const exit = once(worker, 'exit')
  lock(memory)
  if (memory[X] > 0) throw new Error('never')
  unlock(memory)
  await exit
  console.log('never')
} else {
  lock(workerData)
  workerData[X] = 1
  workerData[X] = 0
  workerData[OTHER_X] = 1
  unlock(workerData)
}
