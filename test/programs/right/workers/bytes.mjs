/** Four status bytes make one word in shared memory. Two workers write a byte each, one through an array and one through a DataView. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const HEATING = 0
const ALARM = 2

if (isMainThread) {
  const status = new SharedArrayBuffer(4)
  const ends = []
  for (const role of ['heating', 'alarm']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { status, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.deepEqual([...new Uint8Array(status)], [1, 0, 1, 0])
  console.log('heating and alarm are on')
} else if (workerData.role === 'heating') {
  new Uint8Array(workerData.status)[HEATING] = 1
} else {
  new DataView(workerData.status).setUint8(ALARM, 1)
}
