/**
 * Two workers compute in two phases and meet at a barrier after each, to read what the other has computed.
 * Wrong: a worker that has to wait looks at the number of the round after it has counted itself. If the last one comes in between, the round is
 * over already, and it waits for the end of the next one, which never comes.
 */
// expects: order-violation, atomicity, data-race, deadlock at main#1[1]
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const WORKERS = 2
const ARRIVED = 0
const ROUND = 1
const RESULTS = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * (RESULTS + 2 * WORKERS)))
  const ends = []
  for (let me = 0; me < WORKERS; me++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, me } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(`results ${memory.subarray(RESULTS).join(' ')}`)
} else {
  const { memory, me } = workerData
  let value = me + 1
  for (let phase = 0; phase < 2; phase++) {
    memory[RESULTS + phase * WORKERS + me] = value
    barrier(memory)
    const theirs = memory[RESULTS + phase * WORKERS + (1 - me)]
    if (theirs === 0) throw new Error(`nothing from the other in phase ${phase}`)
    value += theirs
  }
}

function barrier(memory) {
  if (Atomics.add(memory, ARRIVED, 1) === WORKERS - 1) {
    Atomics.store(memory, ARRIVED, 0)
    Atomics.add(memory, ROUND, 1) // bug
    Atomics.notify(memory, ROUND)
  } else {
    const round = memory[ROUND] // bug
    while (Atomics.load(memory, ROUND) === round) Atomics.wait(memory, ROUND, round) // bug
  }
}
