// A channel that is closed by one and used by another.
import { BroadcastChannel } from 'node:worker_threads'
// flags: --timers latency --max-findings 1 --confirm 1

const channel = new BroadcastChannel('news')
setTimeout(() => {
  try {
    channel.postMessage('hello') // expect ChannelUsedAfterClose
  } catch {
    // not our problem
  }
}, 5)
setTimeout(() => channel.close(), 40)
