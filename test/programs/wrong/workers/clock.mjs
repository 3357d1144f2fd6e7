/**
 * One worker moves a 64-bit clock on, another reads it. The clock is two 32-bit words.
 * Wrong: the words are written and read one after the other. A reader that comes between the two writes sees a time that never was.
 */
// expects: atomicity, order-violation, data-race at main#1[
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const HIGH = 0
const LOW = 1
const BEFORE = 0x0_ffff_fff0
const AFTER = 0x1_0000_0005

if (isMainThread) {
  const clock = new Uint32Array(new SharedArrayBuffer(8))
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
  clock[HIGH] = Math.floor(time / 2 ** 32) // bug
  clock[LOW] = time // bug
}

function read(clock) {
  const high = clock[HIGH] // bug
  return high * 2 ** 32 + clock[LOW] // bug
}
