/**
 * One worker builds an index in shared memory and says so by a message; then the main thread starts another, which looks things up in it.
 * Wrong: the builder (_hand-over-builder.mjs) sends the message before it has written the index. If it is slow after the message, the reader
 * finds nothing.
 */
// expects: order-violation, data-race at main#1[
// bug: _hand-over-builder.mjs:8
// bug: _hand-over-reader.mjs:4
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const index = new Int32Array(new SharedArrayBuffer(4 * 16))
const builder = new Worker(new URL('_hand-over-builder.mjs', import.meta.url), { workerData: index })
const built = once(builder, 'exit')
await once(builder, 'message')
const reader = new Worker(new URL('_hand-over-reader.mjs', import.meta.url), { workerData: index })
await Promise.all([built, once(reader, 'exit')])
console.log('found')
