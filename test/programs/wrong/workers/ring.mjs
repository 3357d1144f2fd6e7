/**
 * A producer sends eight readings to a consumer through a ring in shared memory.
 * Wrong: the producer publishes the index before it has written the slot. A consumer that looks in between reads an empty slot.
 */
// expects: order-violation, data-race, atomicity at main#1[
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const SIZE = 16
const TAIL = SIZE
const READINGS = [3, 1, 4, 1, 5, 9, 2, 6]

if (isMainThread) {
  const ring = new Int32Array(new SharedArrayBuffer(4 * (SIZE + 1)))
  const ends = []
  for (const role of ['producer', 'consumer']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { ring, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log('all readings arrived')
} else if (workerData.role === 'producer') {
  const { ring } = workerData
  let tail = 0
  for (const reading of READINGS) {
    Atomics.store(ring, TAIL, tail + 1) // bug
    Atomics.notify(ring, TAIL)
    ring[tail % SIZE] = reading // bug
    tail++
  }
} else {
  const { ring } = workerData
  for (let head = 0; head < READINGS.length; head++) {
    while (Atomics.load(ring, TAIL) === head) Atomics.wait(ring, TAIL, head) // bug
    const reading = ring[head % SIZE] // bug
    if (reading !== READINGS[head]) throw new Error(`reading ${head} is ${reading}`)
  }
}
