/**
 * Two workers share four buffers. The free ones are a list, taken from and given back to by compare-and-exchange.
 * Wrong: the exchange sees that the head is the same buffer as before, not that it was away in between (ABA). If the parser stops between its
 * look at the head and its exchange while the logger takes two buffers and gives the first back, the parser makes the second the head,
 * and it is handed out while the logger still has it.
 */
// expects: atomicity, order-violation, data-race at main#1[0]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const HEAD = 0 // number of the first free buffer, 0: none
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
    const buffer = Atomics.load(memory, HEAD) // bug
    const next = memory[NEXT + buffer]
    if (Atomics.compareExchange(memory, HEAD, buffer, next) !== buffer) continue // bug
    if (Atomics.exchange(memory, OWNER + buffer, me) !== 0) throw new Error(`buffer ${buffer} has two owners`)
    return buffer
  }
}

function give(memory, me, buffer) {
  if (Atomics.exchange(memory, OWNER + buffer, 0) !== me) throw new Error(`buffer ${buffer} was lost`)
  for (;;) {
    const head = Atomics.load(memory, HEAD)
    memory[NEXT + buffer] = head
    if (Atomics.compareExchange(memory, HEAD, head, buffer) === head) return // bug
  }
}
