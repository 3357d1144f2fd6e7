/**
 * A worker sleeps until two others have measured something, and takes the mean.
 * Wrong: they count the latch down before they have written what they measured.
 */
// expects: order-violation, data-race, atomicity at main#2[
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const latch = new Int32Array(new SharedArrayBuffer(4)).fill(2)
  const lengths = new Float64Array(new SharedArrayBuffer(16))
  const ends = []
  for (const role of [0, 1, 'mean']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { latch, lengths, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log('measured')
} else if (workerData.role === 'mean') {
  const { latch, lengths } = workerData
  for (let left = Atomics.load(latch, 0); left > 0; left = Atomics.load(latch, 0)) Atomics.wait(latch, 0, left)
  const mean = (lengths[0] + lengths[1]) / 2 // bug
  if (mean !== 2) throw new Error(`the mean is ${mean}`)
} else {
  const { latch, lengths, role } = workerData
  Atomics.sub(latch, 0, 1) // bug
  Atomics.notify(latch, 0)
  lengths[role] = role + 1.5 // bug
}
