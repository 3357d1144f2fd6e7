/**
 * Two workers use a program of which there is one licence.
 * Wrong: a worker sees that a licence is free and then takes one, in two steps. If both see it before either takes it, one more licence is out than
 * there is.
 */
// expects: atomicity, order-violation, data-race at main#1[0]
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const FREE = 0

if (isMainThread) {
  const licences = new Int32Array(new SharedArrayBuffer(4))
  licences[FREE] = 1
  const ends = []
  for (let i = 0; i < 2; i++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: licences })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(`${licences[FREE]} licence free`)
} else {
  const licences = workerData
  for (let use = 0; use < 2; use++) {
    while (Atomics.load(licences, FREE) === 0) Atomics.wait(licences, FREE, 0) // bug
    const left = Atomics.sub(licences, FREE, 1) - 1 // bug
    if (left < 0) throw new Error('more licences are out than there are')
    Atomics.add(licences, FREE, 1)
    Atomics.notify(licences, FREE, 1)
  }
}
