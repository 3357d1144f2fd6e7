/**
 * Two workers compute in two phases and meet at a barrier after each, to read what the other has computed. The barrier turns its sense around with
 * every use.
 */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const WORKERS = 2
const ARRIVED = 0
const SENSE = 1
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
  let sense = 0
  for (let phase = 0; phase < 2; phase++) {
    memory[RESULTS + phase * WORKERS + me] = value
    sense = 1 - sense
    barrier(memory, sense)
    const theirs = memory[RESULTS + phase * WORKERS + (1 - me)]
    if (theirs === 0) throw new Error(`nothing from the other in phase ${phase}`)
    value += theirs
  }
}

function barrier(memory, sense) {
  if (Atomics.add(memory, ARRIVED, 1) === WORKERS - 1) {
    Atomics.store(memory, ARRIVED, 0)
    Atomics.store(memory, SENSE, sense)
    Atomics.notify(memory, SENSE)
  } else {
    while (Atomics.load(memory, SENSE) !== sense) Atomics.wait(memory, SENSE, 1 - sense)
  }
}
