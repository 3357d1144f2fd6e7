/** A producer sends eight readings to a consumer through a ring of three slots in shared memory; each waits for the other where it must. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const SIZE = 3
const HEAD = SIZE
const TAIL = SIZE + 1
const READINGS = [3, 1, 4, 1, 5, 9, 2, 6]

if (isMainThread) {
  const ring = new Int32Array(new SharedArrayBuffer(4 * (SIZE + 2)))
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
    while (tail - Atomics.load(ring, HEAD) === SIZE) Atomics.wait(ring, HEAD, tail - SIZE)
    ring[tail % SIZE] = reading
    tail++
    Atomics.store(ring, TAIL, tail)
    Atomics.notify(ring, TAIL)
  }
} else {
  const { ring } = workerData
  for (let head = 0; head < READINGS.length; head++) {
    while (Atomics.load(ring, TAIL) === head) Atomics.wait(ring, TAIL, head)
    const reading = ring[head % SIZE]
    Atomics.store(ring, HEAD, head + 1)
    Atomics.notify(ring, HEAD)
    if (reading !== READINGS[head]) throw new Error(`reading ${head} is ${reading}`)
  }
}
