/**
 * Three workers move money between three accounts, each of which has a mutex (0 free, 1 held, 2 held and somebody sleeps).
 * Wrong: each takes the lock of the account it pays from, then that of the account it pays to. If each has its first lock before any
 * has its second, each waits for the next one, in a circle.
 */
// expects: deadlock at main#1[
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const BALANCES = 3

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * 6))
  memory.fill(100, BALANCES)
  const ends = []
  for (const from of [0, 1, 2]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, from, to: (from + 1) % 3 } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.deepEqual([...memory.subarray(BALANCES)], [100, 100, 100])
  console.log('every account has 100 again')
} else {
  const { memory, from, to } = workerData
  lock(memory, from)
  lock(memory, to)
  memory[BALANCES + from] -= 10
  memory[BALANCES + to] += 10
  unlock(memory, to)
  unlock(memory, from)
}

function lock(memory, account) {
  if (Atomics.compareExchange(memory, account, 0, 1) === 0) return // bug
  while (Atomics.exchange(memory, account, 2) !== 0) Atomics.wait(memory, account, 2) // bug
}

function unlock(memory, account) {
  if (Atomics.exchange(memory, account, 0) === 2) Atomics.notify(memory, account, 1)
}
