// A worker is ended while a question is still to be sent to it: there is no answer.
import { Worker } from 'node:worker_threads'
// flags: --timers latency --max-findings 1 --confirm 1

const worker = new Worker(
  `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m))`,
  { eval: true },
)
let answers = 0
worker.on('message', () => answers++)
process.on('exit', () => {
  if (answers !== 1) process.exitCode = 1
})
worker.once('online', () => {
  setTimeout(() => worker.postMessage('question'), 5) // expect WorkerUsedAfterTerminate
  setTimeout(() => worker.terminate(), 500)
})
