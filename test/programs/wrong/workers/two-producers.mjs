/**
 * Two workers write log records into one buffer in shared memory.
 * Wrong: the code was made for one writer. If both read the tail before either moves it, they write the same slot, and a record is lost.
 */
// expects: atomicity, order-violation, data-race at main#1[
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const TAIL = 0
const SLOTS = 1

if (isMainThread) {
  const log = new Int32Array(new SharedArrayBuffer(4 * 16))
  const ends = []
  for (const records of [
    [11, 12, 13],
    [21, 22, 23],
  ]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { log, records } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  const records = [...log.subarray(SLOTS, SLOTS + log[TAIL])].sort()
  assert.deepEqual(records, [11, 12, 13, 21, 22, 23])
  console.log(`${records.length} records`)
} else {
  const { log, records } = workerData
  for (const record of records) {
    const tail = Atomics.load(log, TAIL) // bug
    log[SLOTS + tail] = record // bug
    Atomics.store(log, TAIL, tail + 1) // bug
  }
}
