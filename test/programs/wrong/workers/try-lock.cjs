/**
 * Two workers flush a cache now and then; one that finds the other at it leaves it to the other.
 * Wrong: the unlock stands in a `finally` that also runs when the lock was not got. It frees the lock of the other one, who finds it free at the end.
 */
// expects: order-violation, atomicity at main#1[0]
const { once } = require('node:events')
const { Worker, isMainThread, workerData } = require('node:worker_threads')

const LOCK = 0
const FLUSHED = 1

if (isMainThread) {
  main()
} else {
  for (let i = 0; i < 2; i++) flush(workerData)
}

async function main() {
  const memory = new Int32Array(new SharedArrayBuffer(8))
  const ends = []
  for (let i = 0; i < 2; i++) {
    const worker = new Worker(__filename, { workerData: memory })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(memory[FLUSHED] > 0 ? 'flushed' : 'not flushed')
}

function flush(memory) {
  try {
    if (Atomics.compareExchange(memory, LOCK, 0, 1) !== 0) return // bug
    memory[FLUSHED]++
  } finally {
    unlock(memory)
  }
}

function unlock(memory) {
  if (Atomics.exchange(memory, LOCK, 0) !== 1) throw new Error('unlock of a lock that is not held') // bug
}
