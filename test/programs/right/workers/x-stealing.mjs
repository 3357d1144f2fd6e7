/** A worker takes its jobs from the bottom of a deque, a thief from the top. The last job goes to who moves the top. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const TOP = 0
const BOTTOM = 1
const JOBS = 3
const DONE = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * (DONE + JOBS)))
  memory[BOTTOM] = JOBS
  const ends = []
  for (const take of ['pop', 'steal']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, take } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  const done = Array.from({ length: JOBS }, (_, job) => memory[DONE + job])
  assert.deepEqual(done, [1, 1, 1])
  console.log('each job was done once')
} else {
  const { memory } = workerData
  const take = workerData.take === 'pop' ? pop : steal
  for (let job = take(memory); job !== undefined; job = take(memory)) Atomics.add(memory, DONE + job, 1)
}

function pop(memory) {
  const bottom = Atomics.sub(memory, BOTTOM, 1) - 1
  const top = Atomics.load(memory, TOP)
  if (top < bottom) return bottom
  const mine = top === bottom && Atomics.compareExchange(memory, TOP, top, top + 1) === top
  Atomics.store(memory, BOTTOM, bottom + 1)
  return mine ? bottom : undefined
}

function steal(memory) {
  for (;;) {
    const top = Atomics.load(memory, TOP)
    if (top >= Atomics.load(memory, BOTTOM)) return undefined
    if (Atomics.compareExchange(memory, TOP, top, top + 1) === top) return top
  }
}
