/**
 * Two workers change a record: copy the current version to a free place, change the copy, make it the current one.
 * Wrong: the copy becomes current even if another version has become so since it was made. One change is lost.
 */
// expects: atomicity, order-violation, data-race at main#1[0]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const CURRENT = 0
const FREE = 1
const FIELDS = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * 8))
  memory[CURRENT] = 2
  memory[FREE] = 2 + FIELDS
  const ends = []
  for (const field of [0, 1]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, field } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  const now = memory[CURRENT]
  assert.deepEqual([memory[now], memory[now + 1]], [1, 1])
  console.log('both fields are set')
} else {
  const { memory, field } = workerData
  const copy = Atomics.add(memory, FREE, FIELDS)
  update(memory, Atomics.load(memory, CURRENT), copy, field) // bug
  Atomics.store(memory, CURRENT, copy) // bug
}

function update(memory, from, copy, field) {
  for (let i = 0; i < FIELDS; i++) memory[copy + i] = memory[from + i]
  memory[copy + field]++
}
