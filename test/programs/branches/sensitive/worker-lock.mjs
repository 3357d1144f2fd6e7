/** A lock made by hand: its loop waits for the other thread to let go. What is behind it is never seen half done. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const LOCK = 0
const LEFT = 1
const RIGHT = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(12))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  const exit = once(worker, 'exit')
  move(memory)
  await exit
  console.log('moved')
} else move(workerData)

function move(memory) {
  while (Atomics.compareExchange(memory, LOCK, 0, 1) !== 0) Atomics.wait(memory, LOCK, 1) // sensitive: ad hoc
  if (memory[LEFT] + memory[RIGHT] !== 0) throw new Error('never') // not sensitive
  memory[LEFT]--
  memory[RIGHT]++
  Atomics.store(memory, LOCK, 0)
  Atomics.notify(memory, LOCK, 1)
}
