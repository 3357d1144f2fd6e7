/**
 * Two workers need a key that is made once. Who wins the compare-exchange makes it.
 * Wrong: who does not win goes on at once, though the winner may not be ready.
 */
// expects: order-violation, data-race at main#1[1]
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const STATE = 0
const KEY = 1
const MAKING = 1
const MADE = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(8))
  const ends = []
  for (let i = 0; i < 2; i++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: memory })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(`the key is ${memory[KEY]}`)
} else {
  const key = keyOf(workerData)
  if (key !== 77) throw new Error(`worked with key ${key}`)
}

function keyOf(memory) {
  if (Atomics.compareExchange(memory, STATE, 0, MAKING) === 0) {
    memory[KEY] = 77 // bug
    Atomics.store(memory, STATE, MADE)
    Atomics.notify(memory, STATE)
  }
  return memory[KEY] // bug
}
