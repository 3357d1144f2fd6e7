/**
 * Two workers take parts from a stock, one at a time by Dekker's algorithm.
 * Wrong: to keep the section short, a worker leaves it before it has written the new stock back. If the other reads in between, it takes a part
 * that is gone already.
 */
// expects: atomicity, data-race at main#1[3]
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
    const stock = memory[STOCK] // bug
    leave(memory, me)
    memory[STOCK] = stock - 1 // bug
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
