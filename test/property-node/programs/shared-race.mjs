// Seed 003, Figure 6, with threads: one worker writes a cell that another reads, and nothing says who comes first. Nobody looks at the result.
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const buffer = new SharedArrayBuffer(8)
  const run = (role) => new Promise((resolve) => new Worker(new URL(import.meta.url), { workerData: { role, buffer } }).on('exit', resolve))
  await Promise.all([run('reader'), run('writer')])
} else {
  const cells = new Int32Array(workerData.buffer)
  if (workerData.role === 'reader') void cells[0]
  else cells[0] = 1
}
