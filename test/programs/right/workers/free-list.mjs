/**
 * Two workers share four buffers. The free ones are a list, taken from and given back to by compare-and-exchange. The head also holds a number
 * that changes every time, so that a head that was away and came back is not taken for the same one.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const HEAD = 0 // low byte: number of the first free buffer, 0: none; above: how often the head has changed
const NEXT = 0 // + number of the buffer
const OWNER = 4 // + number of the buffer

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * 9))
  memory.set([1, 2, 3, 4, 0])
  const ends = []
  for (const me of [1, 2]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, me } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'message')
  }
  await Promise.all(ends)
  const owners = [...memory.subarray(OWNER + 1, OWNER + 5)].sort()
  assert.deepEqual(owners, [0, 1, 2, 2])
  console.log('the logger has one buffer, the parser has two')
} else {
  const { memory, me } = workerData
  parentPort.postMessage('started')
  if (me === 1) {
    const first = take(memory, me)
    take(memory, me)
    give(memory, me, first)
  } else {
    take(memory, me)
    take(memory, me)
  }
}

function take(memory, me) {
  for (;;) {
    const head = Atomics.load(memory, HEAD)
    const buffer = head & 0xff
    const next = Atomics.load(memory, NEXT + buffer)
    if (!replace(memory, head, next)) continue
    if (Atomics.exchange(memory, OWNER + buffer, me) !== 0) throw new Error(`buffer ${buffer} has two owners`)
    return buffer
  }
}

function give(memory, me, buffer) {
  if (Atomics.exchange(memory, OWNER + buffer, 0) !== me) throw new Error(`buffer ${buffer} was lost`)
  for (;;) {
    const head = Atomics.load(memory, HEAD)
    Atomics.store(memory, NEXT + buffer, head & 0xff)
    if (replace(memory, head, buffer)) return
  }
}

function replace(memory, head, buffer) {
  const changes = (head >> 8) + 1
  return Atomics.compareExchange(memory, HEAD, head, (changes << 8) | buffer) === head
}
