/**
 * Two workers take places in a table; a bitmap says which are free.
 * Wrong: the bit is set by a load and a store. Two workers that load the same bits take the same place.
 */
// expects: atomicity, order-violation, data-race at main#1[0]
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

if (isMainThread) {
  const bits = new Uint8Array(new SharedArrayBuffer(1))
  const owners = new Uint8Array(new SharedArrayBuffer(8))
  const ends = []
  for (let id = 1; id <= 2; id++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { bits, owners, id } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(`${owners.filter((owner) => owner > 0).length} places taken`)
} else {
  const { bits, owners, id } = workerData
  for (let i = 0; i < 2; i++) {
    const place = take(bits)
    const owner = Atomics.exchange(owners, place, id)
    if (owner !== 0) throw new Error(`place ${place} belongs to ${owner}`)
  }
}

function take(bits) {
  for (let place = 0; place < 8; place++) {
    const taken = Atomics.load(bits, 0) // bug
    if (taken & (1 << place)) continue
    Atomics.store(bits, 0, taken | (1 << place)) // bug
    return place
  }
  throw new Error('no place is free')
}
