/** One worker fills a page of shared memory with plain writes and raises a flag; another sleeps until the flag is up and reads with plain reads. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const FLAG = 0
const PAGE = 1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * 33))
  const ends = []
  for (const role of ['reader', 'writer']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log('the page was read')
} else if (workerData.role === 'writer') {
  const { memory } = workerData
  for (let i = 0; i < 32; i++) memory[PAGE + i] = i + 1
  Atomics.store(memory, FLAG, 1)
  Atomics.notify(memory, FLAG)
} else {
  const { memory } = workerData
  while (Atomics.load(memory, FLAG) === 0) Atomics.wait(memory, FLAG, 0)
  const sum = memory.subarray(PAGE).reduce((a, b) => a + b)
  if (sum !== 528) throw new Error(`the page adds up to ${sum}`)
}
