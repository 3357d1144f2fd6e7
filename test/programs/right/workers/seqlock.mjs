/**
 * One worker moves a point twice, another reads it. A number is odd while the point is being written; a reader that finds it odd or changed reads again.
 */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const VERSION = 0
const X = 1
const Y = 2

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(12))
  const ends = []
  for (const role of ['writer', 'reader']) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { memory, role } })
    ends.push(once(worker, 'exit'))
    await once(worker, 'online')
  }
  await Promise.all(ends)
  console.log(`the point is ${memory[X]}, ${memory[Y]}`)
} else if (workerData.role === 'writer') {
  const { memory } = workerData
  for (const at of [3, 8]) {
    Atomics.add(memory, VERSION, 1)
    Atomics.store(memory, X, at)
    Atomics.store(memory, Y, -at)
    Atomics.add(memory, VERSION, 1)
    Atomics.notify(memory, VERSION)
  }
} else {
  const [x, y] = read(workerData.memory)
  if (x + y !== 0) throw new Error(`half a move: ${x}, ${y}`)
}

function read(memory) {
  for (;;) {
    const version = Atomics.load(memory, VERSION)
    if (version % 2 === 1) {
      Atomics.wait(memory, VERSION, version)
      continue
    }
    const point = [Atomics.load(memory, X), Atomics.load(memory, Y)]
    if (Atomics.load(memory, VERSION) === version) return point
  }
}
