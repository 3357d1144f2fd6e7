/**
 * One worker files a document in its folder, another moves one out of it. Folder and document have a spin lock each.
 * Wrong: one takes the folder first, the other the document. If each has its first lock, both spin for ever.
 */
// expects: deadlock at main#1[
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const FOLDER = 0
const DOCUMENT = 1
const CHANGES = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(12))
  const ends = []
  for (const locks of [
    [FOLDER, DOCUMENT],
    [DOCUMENT, FOLDER],
  ]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, locks } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  assert.equal(memory[CHANGES], 2)
  console.log('2 changes')
} else {
  const { memory, locks } = workerData
  for (const lock of locks) while (Atomics.compareExchange(memory, lock, 0, 1) !== 0); // bug
  memory[CHANGES]++
  for (const lock of locks) Atomics.store(memory, lock, 0)
}
