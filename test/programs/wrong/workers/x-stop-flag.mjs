/**
 * A worker writes to a log until it is told to stop; then another one closes the log.
 * Wrong: who closes it does not wait until the writer has seen the flag. It may close between the look at the flag and the write.
 */
// expects: order-violation, atomicity at main#1[
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const STOP = 0
const STOPPED = 1
const CLOSED = 2
const LINES = 3

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(16))
  const ends = []
  for (const role of ['writer', 'closer']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log('closed')
} else if (workerData.role === 'closer') {
  const { memory } = workerData
  Atomics.store(memory, STOP, 1) // bug
  Atomics.store(memory, CLOSED, 1) // bug
} else {
  const { memory } = workerData
  for (let line = 0; line < 3; line++) {
    if (Atomics.load(memory, STOP) === 1) break // bug
    write(memory)
  }
  Atomics.store(memory, STOPPED, 1)
  Atomics.notify(memory, STOPPED)
}

function write(memory) {
  if (Atomics.load(memory, CLOSED) === 1) throw new Error('write after close') // bug
  Atomics.add(memory, LINES, 1)
}
