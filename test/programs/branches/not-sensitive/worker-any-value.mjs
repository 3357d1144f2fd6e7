/** Shared cells change under the reader, and no value of them changes the outcome. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const cells = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL(import.meta.url), { workerData: cells })
  const exit = once(worker, 'exit')
  let looks = 0
  if (cells[0] >= 0) looks++
  if (cells[0] % 2 === 0) looks++
  if (cells[0] < 5) looks++
  if ((cells[0] & 1) === 0) looks++
  await exit
  console.log(`${looks} looks`)
} else {
  workerData[0] = 2
  workerData[0] = 4
}
