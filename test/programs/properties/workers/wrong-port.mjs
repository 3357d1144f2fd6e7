// A port is closed while a message is still to be sent through it: it is lost without a word.
import { MessageChannel } from 'node:worker_threads'
// flags: --timers latency --max-findings 1 --confirm 1

const { port1, port2 } = new MessageChannel()
let heard = false
port2.on('message', () => (heard = true))
process.on('exit', () => {
  if (!heard) process.exitCode = 1
})
setTimeout(() => port1.postMessage('news'), 5) // expect PortUsedAfterClose
setTimeout(() => port1.close(), 80)
