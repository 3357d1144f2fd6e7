/**
 * Two clerks sleep on one bell until there is a letter in their own box. Every ring wakes both: the one it is not for looks and sleeps again.
 */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const BELL = 0
const BOXES = 1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(12))
  const ends = []
  for (const me of [0, 1]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, me } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  for (const clerk of [1, 0]) {
    Atomics.store(memory, BOXES + clerk, 7)
    Atomics.add(memory, BELL, 1)
    Atomics.notify(memory, BELL)
  }
  await Promise.all(ends)
  console.log('both letters were read')
} else {
  const { memory, me } = workerData
  for (;;) {
    const rung = Atomics.load(memory, BELL)
    if (Atomics.load(memory, BOXES + me) !== 0) break
    Atomics.wait(memory, BELL, rung)
  }
}
