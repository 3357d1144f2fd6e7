// The channel to a child is closed while a question is still to be sent: an error nobody listens for.
import { fork } from 'node:child_process'
// flags: --timers latency --max-findings 1 --confirm 1

const child = fork(new URL('_child.mjs', import.meta.url))
setTimeout(() => child.send('question'), 5) // expect ChildUsedAfterDisconnect
setTimeout(() => child.disconnect(), 300)
