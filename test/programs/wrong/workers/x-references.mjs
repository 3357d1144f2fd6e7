/**
 * Two workers hold a reference to a file each; the last one to let go closes it.
 * Wrong: counting down and looking at the count are two steps. Both can see zero, and the file is closed twice.
 */
// expects: atomicity, order-violation at main#1[0]
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const REFERENCES = 0
const CLOSED = 1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(8))
  memory[REFERENCES] = 2
  const ends = []
  for (let i = 0; i < 2; i++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: memory })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(`closed ${memory[CLOSED]} time`)
} else {
  const memory = workerData
  Atomics.sub(memory, REFERENCES, 1) // bug
  if (Atomics.load(memory, REFERENCES) === 0) {
    // bug
    if (Atomics.exchange(memory, CLOSED, 1) === 1) throw new Error('closed already')
  }
}
