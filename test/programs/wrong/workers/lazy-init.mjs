/**
 * Two workers use a table that the first one to need it fills: look, lock, look again, fill.
 * Wrong: the flag is set before the table is filled. A worker that looks at the flag in between skips the lock and uses an empty table.
 */
// expects: order-violation, data-race, atomicity at main#1[
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const READY = 0
const LOCK = 1
const TABLE = 2
const SIZE = 8

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * (TABLE + SIZE)))
  const ends = []
  for (let i = 0; i < 2; i++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: memory })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log('both used the table')
} else {
  const memory = workerData
  if (Atomics.load(memory, READY) === 0) {
    // bug
    while (Atomics.compareExchange(memory, LOCK, 0, 1) !== 0) Atomics.wait(memory, LOCK, 1)
    if (Atomics.load(memory, READY) === 0) {
      Atomics.store(memory, READY, 1) // bug
      for (let i = 0; i < SIZE; i++) memory[TABLE + i] = i * i // bug
    }
    Atomics.store(memory, LOCK, 0)
    Atomics.notify(memory, LOCK)
  }
  let sum = 0
  for (let i = 0; i < SIZE; i++) sum += memory[TABLE + i] // bug
  if (sum !== 140) throw new Error(`the squares add up to ${sum}`)
}
