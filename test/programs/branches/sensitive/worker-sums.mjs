/** Two workers write two cells; only the sum of both is too much. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const cells = new Int32Array(new SharedArrayBuffer(8))
  const ends = [0, 1].map((i) => once(new Worker(new URL(import.meta.url), { workerData: { cells, i } }), 'exit'))
  let warnings = 0
  if (cells[0] + 2 * cells[1] > 20) warnings++ // not sensitive: 15 at most
  if (cells[0] + 2 * cells[1] > 11) warnings++ // sensitive: harmful
  await Promise.all(ends)
  console.log(`${warnings} warnings`)
} else workerData.cells[workerData.i] = 5
