/** The main thread does two stages and rings after each; a worker that needs both sleeps until both are done. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const STAGE = 0
const FLOUR = 1
const WATER = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(12))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  const end = once(worker, 'exit')
  memory[FLOUR] = 500
  finish(memory, 1)
  memory[WATER] = 300
  finish(memory, 2)
  await end
  console.log('dough')
} else {
  const memory = workerData
  for (let stage = Atomics.load(memory, STAGE); stage < 2; stage = Atomics.load(memory, STAGE)) Atomics.wait(memory, STAGE, stage)
  const weight = memory[FLOUR] + memory[WATER]
  if (weight !== 800) throw new Error(`the dough weighs ${weight}`)
}

function finish(memory, stage) {
  Atomics.store(memory, STAGE, stage)
  Atomics.notify(memory, STAGE)
}
