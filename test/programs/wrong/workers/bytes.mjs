/**
 * Four status bytes make one word in shared memory. One worker sets its byte, another its bit in a byte nearby.
 * Wrong: the second reads and writes the whole word. If the first writes its byte in between, the byte is set back.
 */
// expects: atomicity, order-violation, data-race at main#1
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const HEATING = 0
const ALARM = 0x10000

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
  new Uint8Array(workerData.status)[HEATING] = 1 // bug
} else {
  const view = new DataView(workerData.status)
  view.setUint32(0, view.getUint32(0, true) | ALARM, true) // bug
}
