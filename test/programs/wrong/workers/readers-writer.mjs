/**
 * One worker reads a position, another moves it. A lock lets in many readers or one writer.
 * Wrong: the writer keeps new readers out, but does not wait for those inside. A reader that has read one coordinate when the writer comes reads
 * the other one of the new position.
 */
// expects: atomicity, order-violation, data-race at main#1[
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const WRITER = 0
const READERS = 1
const X = 2
const Y = 3

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(16))
  const ends = []
  for (const role of ['reader', 'writer']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(`the position is ${memory[X]}, ${memory[Y]}`)
} else if (workerData.role === 'reader') {
  const { memory } = workerData
  lockShared(memory)
  const x = memory[X] // bug
  const y = memory[Y] // bug
  unlockShared(memory)
  if (x !== y) throw new Error(`half a move: ${x}, ${y}`)
} else {
  const { memory } = workerData
  lock(memory)
  memory[X] = 5 // bug
  memory[Y] = 5 // bug
  unlock(memory)
}

function lockShared(memory) {
  for (;;) {
    Atomics.add(memory, READERS, 1)
    if (Atomics.load(memory, WRITER) === 0) return
    unlockShared(memory)
    Atomics.wait(memory, WRITER, 1)
  }
}

function unlockShared(memory) {
  if (Atomics.sub(memory, READERS, 1) === 1) Atomics.notify(memory, READERS)
}

function lock(memory) {
  while (Atomics.compareExchange(memory, WRITER, 0, 1) !== 0) Atomics.wait(memory, WRITER, 1)
}

function unlock(memory) {
  Atomics.store(memory, WRITER, 0)
  Atomics.notify(memory, WRITER)
}
