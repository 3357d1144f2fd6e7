/**
 * A sensor replaces its packet in shared memory, a length and so many bytes; a reader copies it.
 * Wrong: no lock. The reader can get the new length with the old bytes.
 */
// expects: atomicity, order-violation, data-race at main#1
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

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
  view.setUint32(LENGTH, text.length, false) // bug
  for (let i = 0; i < text.length; i++) view.setUint8(BYTES + i, text.charCodeAt(i)) // bug
}

function read(buffer) {
  const view = new DataView(buffer)
  const length = view.getUint32(LENGTH, false) // bug
  let text = ''
  for (let i = 0; i < length; i++) text += String.fromCharCode(view.getUint8(BYTES + i)) // bug
  return text
}
