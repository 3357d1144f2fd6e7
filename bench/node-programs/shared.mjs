// Shared-memory-heavy work: a segmented sieve, with a queue of segments taken by Atomics.add, or a counter that all workers fight for.
//   node shared.mjs WORKERS sieve LIMIT | counter ROUNDS
// Prints the time of the work, without the start of the workers.
import { Worker, isMainThread, workerData } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'

const SEGMENT = 4096
const [START, NEXT, FOUND, DONE] = [0, 1, 2, 3]

if (isMainThread) {
  const [workers, what, size] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])]
  const head = new Int32Array(new SharedArrayBuffer(64))
  const marks = new Uint8Array(new SharedArrayBuffer(what === 'sieve' ? size : 8))
  const all = []
  for (let i = 0; i < workers; i++) all.push(new Worker(fileURLToPath(import.meta.url), { workerData: { head, marks, what, size } }))
  await Promise.all(all.map((worker) => new Promise((resolve) => worker.once('message', resolve))))
  const cpu = process.cpuUsage()
  const start = performance.now()
  Atomics.store(head, START, 1)
  Atomics.notify(head, START)
  await Promise.all(all.map((worker) => new Promise((resolve) => worker.once('exit', resolve))))
  const { user, system } = process.cpuUsage(cpu)
  console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, work: Atomics.load(head, FOUND) }))
} else {
  const { parentPort } = await import('node:worker_threads')
  const { head, marks, what, size } = workerData
  parentPort.postMessage('ready')
  Atomics.wait(head, START, 0)
  if (what === 'sieve') sieve(head, marks, size)
  else for (let i = 0; i < size; i++) Atomics.add(head, FOUND, 1)
  Atomics.add(head, DONE, 1)
}

function sieve(head, marks, size) {
  for (;;) {
    const from = Atomics.add(head, NEXT, SEGMENT)
    if (from >= size) return
    const to = Math.min(size, from + SEGMENT)
    for (let p = 2; p * p < to; p++) {
      for (let n = Math.max(p * p, Math.ceil(from / p) * p); n < to; n += p) marks[n] = 1
    }
    let found = 0
    for (let n = Math.max(from, 2); n < to; n++) if (marks[n] === 0) found++
    Atomics.add(head, FOUND, found)
  }
}
