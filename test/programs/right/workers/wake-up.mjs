/**
 * Two workers take jobs from a queue that a third one fills. A mutex guards the queue; who finds it empty sleeps on a bell and
 * looks again when woken. The bell is read before the mutex is let go, so that no ring is missed.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const LOCK = 0
const BELL = 1
const LENGTH = 2
const DONE = 3
const QUEUE = 4
const STOP = -1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * 16))
  const ends = []
  for (const role of ['taker', 'taker', 'giver']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.equal(memory[DONE], 60)
  console.log(`the jobs add up to ${memory[DONE]}`)
} else if (workerData.role === 'giver') {
  for (const job of [10, 20, 30]) give(workerData.memory, job)
  for (let i = 0; i < 2; i++) give(workerData.memory, STOP)
} else {
  const { memory } = workerData
  for (;;) {
    lock(memory)
    while (memory[LENGTH] === 0) {
      const rung = Atomics.load(memory, BELL)
      unlock(memory)
      Atomics.wait(memory, BELL, rung)
      lock(memory)
    }
    // The oldest first: the stops were given last.
    const job = memory[QUEUE]
    memory[LENGTH]--
    for (let i = 0; i < memory[LENGTH]; i++) memory[QUEUE + i] = memory[QUEUE + i + 1]
    if (job !== STOP) memory[DONE] += job
    unlock(memory)
    if (job === STOP) break
  }
}

function give(memory, job) {
  lock(memory)
  memory[QUEUE + memory[LENGTH]] = job
  memory[LENGTH]++
  Atomics.add(memory, BELL, 1)
  unlock(memory)
  Atomics.notify(memory, BELL, 1)
}

function lock(memory) {
  if (Atomics.compareExchange(memory, LOCK, 0, 1) === 0) return
  while (Atomics.exchange(memory, LOCK, 2) !== 0) Atomics.wait(memory, LOCK, 2)
}

function unlock(memory) {
  if (Atomics.exchange(memory, LOCK, 0) === 2) Atomics.notify(memory, LOCK, 1)
}
