/**
 * A worker spends tokens, another one adds new ones, up to five.
 * Wrong: the sum is stored over whatever was spent since it was read.
 */
// expects: atomicity, order-violation, data-race at main#1[0]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const TOKENS = 0
const SPENT = 1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(8))
  memory[TOKENS] = 2
  const ends = []
  for (const role of ['spender', 'giver']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.equal(memory[TOKENS] + memory[SPENT], 4)
  console.log('every token is accounted for')
} else if (workerData.role === 'giver') {
  for (let i = 0; i < 2; i++) add(workerData.memory)
} else {
  for (let i = 0; i < 2; i++) if (spend(workerData.memory)) Atomics.add(workerData.memory, SPENT, 1)
}

function spend(memory) {
  for (;;) {
    const tokens = Atomics.load(memory, TOKENS)
    if (tokens === 0) return false
    if (Atomics.compareExchange(memory, TOKENS, tokens, tokens - 1) === tokens) return true // bug
  }
}

function add(memory) {
  const tokens = Atomics.load(memory, TOKENS) // bug
  Atomics.store(memory, TOKENS, Math.min(5, tokens + 1)) // bug
}
