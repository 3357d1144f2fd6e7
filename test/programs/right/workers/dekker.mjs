/** Two workers take parts from a stock, one at a time by Dekker's algorithm. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const WANTS = 0
const TURN = 2
const STOCK = 3

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(16))
  memory[STOCK] = 10
  const ends = []
  for (const me of [0, 1]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, me } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.equal(memory[STOCK], 6, 'a part was taken twice')
  console.log(`${memory[STOCK]} parts left`)
} else {
  const { memory, me } = workerData
  for (let part = 0; part < 2; part++) {
    enter(memory, me)
    memory[STOCK] = memory[STOCK] - 1
    leave(memory, me)
  }
}

function enter(memory, me) {
  const other = 1 - me
  Atomics.store(memory, WANTS + me, 1)
  while (Atomics.load(memory, WANTS + other) === 1) {
    if (Atomics.load(memory, TURN) === me) continue
    Atomics.store(memory, WANTS + me, 0)
    while (Atomics.load(memory, TURN) !== me);
    Atomics.store(memory, WANTS + me, 1)
  }
}

function leave(memory, me) {
  Atomics.store(memory, TURN, 1 - me)
  Atomics.store(memory, WANTS + me, 0)
}
