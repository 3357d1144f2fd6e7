/** Both threads set up what nobody has set up yet. The check and the mark are two steps. */
// expects: atomicity, order-violation at [0]
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const DONE = 0
const COUNT = 1

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL(import.meta.url), { workerData: memory })
  const exit = once(worker, 'exit')
  setUp(memory)
  await exit
  if (memory[COUNT] !== 1) throw new Error('set up twice') // sensitive: harmful
  console.log('set up once')
} else if (!workerData[DONE]) setUp(workerData) // sensitive: harmful

function setUp(memory) {
  Atomics.add(memory, COUNT, 1)
  memory[DONE] = 1 // bug
}
