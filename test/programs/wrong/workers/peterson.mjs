/**
 * Two workers pay into one account, one at a time by Peterson's algorithm.
 * Wrong: a worker raises its flag only after it has looked at the flag of the other. If both look before either raises, both go in, and a
 * payment is lost.
 */
// expects: atomicity, data-race, order-violation at main#1[
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const FLAGS = 0
const TURN = 2
const BALANCE = 3

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(16))
  const ends = []
  for (const me of [0, 1]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, me } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.equal(memory[BALANCE], 60, 'a payment was lost')
  console.log(`balance ${memory[BALANCE]}`)
} else {
  const { memory, me } = workerData
  const other = 1 - me
  for (let payment = 0; payment < 3; payment++) {
    Atomics.store(memory, TURN, other)
    while (Atomics.load(memory, FLAGS + other) === 1 && Atomics.load(memory, TURN) === other); // bug
    Atomics.store(memory, FLAGS + me, 1) // bug
    memory[BALANCE] = memory[BALANCE] + 10 // bug
    Atomics.store(memory, FLAGS + me, 0)
  }
}
