// Who sends looks whether the child is still there.
import { fork } from 'node:child_process'
// flags: --timers latency

const child = fork(new URL('_child.mjs', import.meta.url))
setTimeout(() => child.connected && child.send('question'), 5)
setTimeout(() => child.disconnect(), 300) // ok
