// Who closes says so.
import { BroadcastChannel } from 'node:worker_threads'
// flags: --timers latency

const channel = new BroadcastChannel('news')
let open = true
setTimeout(() => open && channel.postMessage('hello'), 5)
setTimeout(() => {
  open = false
  channel.close()
}, 40) // ok
