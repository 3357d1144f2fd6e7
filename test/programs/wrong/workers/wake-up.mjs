/**
 * A worker sleeps until another has put a job into shared memory and rings a bell.
 * Wrong: it looks for the job first and then sleeps on the bell, whose value never changes. A ring between the two wakes nobody, and
 * there is no second one: it sleeps for ever.
 */
// expects: deadlock, order-violation, atomicity at main#1[
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const JOB = 0
const BELL = 1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(8))
  const ends = []
  for (const role of ['sleeper', 'ringer']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'message')
  }
  await Promise.all(ends)
  console.log('the job is done')
} else if (workerData.role === 'sleeper') {
  const { memory } = workerData
  parentPort.postMessage('started')
  if (Atomics.load(memory, JOB) === 0) Atomics.wait(memory, BELL, 0) // bug
  if (Atomics.load(memory, JOB) !== 42) throw new Error('woken for nothing')
} else {
  const { memory } = workerData
  parentPort.postMessage('started')
  Atomics.store(memory, JOB, 42) // bug
  Atomics.notify(memory, BELL) // bug
}
