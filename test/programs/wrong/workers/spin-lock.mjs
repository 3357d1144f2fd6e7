/**
 * One worker sets the price of the day, another charges an order by it. The journal is behind a spin lock.
 * Wrong: the error for a missing price leaves the function without a release of the lock. If the order is charged before the price is set, the
 * first worker spins for ever.
 */
// expects: order-violation, data-race at main#1[1]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const LOCK = 0
const PRICE = 1
const ENTRIES = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(12))
  const ends = []
  let refused = 0
  for (const role of ['prices', 'orders']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, role } })
    worker.on('message', (message) => (refused += message === 'refused' ? 1 : 0))
    ends.push(once(worker, 'exit'))
    await once(worker, 'message')
  }
  await Promise.all(ends)
  assert.equal(memory[ENTRIES] + refused, 2)
  console.log('the journal is complete')
} else if (workerData.role === 'prices') {
  const { memory } = workerData
  parentPort.postMessage('started')
  memory[PRICE] = 7 // bug
  acquire(memory)
  memory[ENTRIES]++
  release(memory)
} else {
  parentPort.postMessage('started')
  try {
    charge(workerData.memory)
  } catch {
    parentPort.postMessage('refused')
  }
}

function charge(memory) {
  acquire(memory)
  if (memory[PRICE] === 0) throw new Error('no price yet') // bug
  memory[ENTRIES]++
  release(memory)
}

function acquire(memory) {
  while (Atomics.compareExchange(memory, LOCK, 0, 1) !== 0);
}

function release(memory) {
  Atomics.store(memory, LOCK, 0)
}
