// Two workers take parts from a shelf that they share. Each looks how many are left, and takes one if there is one.
// A worker takes a while to start and no time to take a part, so the second one always comes too late to get in the way. Usually.
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const [LEFT, TAKEN] = [0, 1]

if (isMainThread) {
  const shelf = new Int32Array(new SharedArrayBuffer(8))
  shelf[LEFT] = 1
  const workers = [1, 2].map(() => new Worker(new URL(import.meta.url), { workerData: shelf }))
  await Promise.all(workers.map((worker) => once(worker, 'exit')))
  if (shelf[TAKEN] !== 1 || shelf[LEFT] !== 0) throw new Error(`${shelf[TAKEN]} taken, ${shelf[LEFT]} left, and there was one`)
} else {
  const shelf = workerData
  if (Atomics.load(shelf, LEFT) > 0) {
    Atomics.sub(shelf, LEFT, 1)
    Atomics.add(shelf, TAKEN, 1)
  }
}
