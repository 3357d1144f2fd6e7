/** Two producers and a consumer share a queue with one place: a mutex and two condition variables. Who is woken looks again. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const LOCK = 0
const COUNT = 1
const ITEM = 2
const NOT_FULL = 3
const NOT_EMPTY = 4
const SUM = 5

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * 6))
  const ends = []
  for (const role of [1, 10, 'consumer']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.equal(memory[SUM], 22)
  console.log(`the items add up to ${memory[SUM]}`)
} else if (workerData.role === 'consumer') {
  const { memory } = workerData
  for (let i = 0; i < 4; i++) {
    lock(memory)
    while (memory[COUNT] === 0) wait(memory, NOT_EMPTY)
    memory[SUM] += memory[ITEM]
    memory[COUNT]--
    signal(memory, NOT_FULL)
    unlock(memory)
  }
} else {
  const { memory, role } = workerData
  for (let i = 0; i < 2; i++) {
    lock(memory)
    while (memory[COUNT] === 1) wait(memory, NOT_FULL)
    if (memory[COUNT] === 1) throw new Error('no room in the queue')
    memory[ITEM] = role
    memory[COUNT]++
    signal(memory, NOT_EMPTY)
    unlock(memory)
  }
}

function wait(memory, condition) {
  const seen = Atomics.load(memory, condition)
  unlock(memory)
  Atomics.wait(memory, condition, seen)
  lock(memory)
}

function signal(memory, condition) {
  Atomics.add(memory, condition, 1)
  Atomics.notify(memory, condition, 1)
}

function lock(memory) {
  while (Atomics.compareExchange(memory, LOCK, 0, 1) !== 0) Atomics.wait(memory, LOCK, 1)
}

function unlock(memory) {
  Atomics.store(memory, LOCK, 0)
  Atomics.notify(memory, LOCK)
}
