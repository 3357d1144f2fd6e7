// Who sends closes.
import { MessageChannel } from 'node:worker_threads'
// flags: --timers latency

const { port1, port2 } = new MessageChannel()
let heard = 0
port2.on('message', () => {
  if (++heard === 2) port1.close()
})
process.on('exit', () => {
  if (heard !== 2) process.exitCode = 1
})
setTimeout(() => port1.postMessage('news'), 5)
setTimeout(() => port1.postMessage('more'), 80) // ok
