/** One worker moves a 64-bit clock on, another reads it. The clock is one 64-bit word with atomic accesses. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const BEFORE = 0x0_ffff_fff0n
const AFTER = 0x1_0000_0005n

if (isMainThread) {
  const clock = new BigInt64Array(new SharedArrayBuffer(8))
  write(clock, BEFORE)
  const ends = []
  for (const role of ['writer', 'reader']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { clock, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(`the time is ${read(clock)}`)
} else if (workerData.role === 'writer') {
  write(workerData.clock, AFTER)
} else {
  const time = read(workerData.clock)
  if (time !== BEFORE && time !== AFTER) throw new Error(`it was never ${time}`)
}

function write(clock, time) {
  Atomics.store(clock, 0, time)
}

function read(clock) {
  return Atomics.load(clock, 0)
}
