/** A sensor replaces its packet in shared memory, a length and so many bytes; a reader copies it. A lock keeps a packet whole. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const LOCK = 0
const LENGTH = 4
const BYTES = 8

if (isMainThread) {
  const buffer = new SharedArrayBuffer(16)
  write(buffer, 'cold')
  const ends = []
  for (const role of ['sensor', 'reader']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { buffer, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(`it is ${read(buffer)}`)
} else if (workerData.role === 'sensor') {
  write(workerData.buffer, 'freezing')
} else {
  const text = read(workerData.buffer)
  if (text !== 'cold' && text !== 'freezing') throw new Error(`nobody sent ${JSON.stringify(text)}`)
}

function write(buffer, text) {
  const view = new DataView(buffer)
  const memory = new Int32Array(buffer)
  lock(memory)
  view.setUint32(LENGTH, text.length, false)
  for (let i = 0; i < text.length; i++) view.setUint8(BYTES + i, text.charCodeAt(i))
  unlock(memory)
}

function read(buffer) {
  const view = new DataView(buffer)
  const memory = new Int32Array(buffer)
  lock(memory)
  const length = view.getUint32(LENGTH, false)
  let text = ''
  for (let i = 0; i < length; i++) text += String.fromCharCode(view.getUint8(BYTES + i))
  unlock(memory)
  return text
}

function lock(memory) {
  while (Atomics.compareExchange(memory, LOCK, 0, 1) !== 0) Atomics.wait(memory, LOCK, 1)
}

function unlock(memory) {
  Atomics.store(memory, LOCK, 0)
  Atomics.notify(memory, LOCK)
}
