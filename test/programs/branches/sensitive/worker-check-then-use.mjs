/** TAME, figure 2 with threads: the number of a row is looked at, then used. Meanwhile a worker takes the row away. */
// expects: atomicity, order-violation at [0]
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const ROWS = [undefined, { name: 'one' }, { name: 'two' }]

if (isMainThread) {
  const row = new Int32Array(new SharedArrayBuffer(4))
  row[0] = 2
  const worker = new Worker(new URL(import.meta.url), { workerData: row })
  const exit = once(worker, 'exit')
  const name = row[0] === 0 ? 'none' : nameOf(row) // sensitive: benign
  // bug
  await exit
  console.log(`looked up a ${typeof name}`)
} else workerData[0] = 0 // bug

function nameOf(row) {
  return ROWS[row[0]].name // sensitive: harmful
}
