/** An event is waited for with a limit, and the limit is taken away when it has come. */
import { EventEmitter, once } from 'node:events'
import { stat } from 'node:fs/promises'

const events = new EventEmitter()
const limit = new AbortController()
const timer = setTimeout(() => limit.abort(new Error('nothing came')), 900)
const came = once(events, 'ready', { signal: limit.signal })
void stat(new URL(import.meta.url)).then(({ size }) => events.emit('ready', size > 0))
const [ready] = await came
clearTimeout(timer)
if (!ready) throw new Error('not ready')
console.log('ready')
