// The worker is ended by its answer.
import { Worker } from 'node:worker_threads'
// flags: --timers latency

const worker = new Worker(
  `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m))`,
  { eval: true },
)
let answers = 0
worker.on('message', () => {
  answers++
  worker.terminate()
})
process.on('exit', () => {
  if (answers !== 1) process.exitCode = 1
})
setTimeout(() => worker.postMessage('question'), 5) // ok
