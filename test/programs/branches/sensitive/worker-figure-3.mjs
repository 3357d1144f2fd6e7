/**
 * TAME, figure 3: two threads, two variables behind a lock, three branches. The first comes before the second thread exists. The second is true
 * whether x is 1 or 3. The third sees y before or after the first thread wrote it.
 */
// flags: --exclude **/_lock.mjs
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'
import { lock, unlock } from './_lock.mjs'

const X = 1
const Y = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(12))
  await once(new Worker(new URL(import.meta.url), { workerData: { memory, thread: 1 } }), 'exit')
  console.log('x', memory[X])
} else if (workerData.thread === 1) first(workerData.memory)
else second(workerData.memory)

function first(memory) {
  if (memory[X] > memory[Y]) throw new Error('not with this input') // not sensitive
  memory[X] = memory[X] + 1
  new Worker(new URL(import.meta.url), { workerData: { memory, thread: 2 } })
  lock(memory)
  if (memory[X] > memory[Y]) memory[Y] = 3 // not sensitive
  unlock(memory)
}

function second(memory) {
  lock(memory)
  memory[X] = memory[X] + 2
  if (memory[X] > memory[Y]) memory[Y] = 2 // sensitive: benign
  unlock(memory)
}
