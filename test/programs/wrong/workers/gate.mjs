/**
 * Two workers wait at a gate that the main thread opens.
 * Wrong: the main thread wakes one of them only. The second worker starts late and finds the gate open, usually; if it comes to the gate
 * before it opens, nobody wakes it.
 */
// expects: deadlock, order-violation at main#1[0]
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

if (isMainThread) {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const first = new Worker(new URL(import.meta.url), { workerData: gate })
  const ends = [once(first, 'exit')]
  await once(first, 'message')
  const second = new Worker(new URL(import.meta.url), { workerData: gate })
  ends.push(once(second, 'exit'))
  Atomics.store(gate, 0, 1) // bug
  Atomics.notify(gate, 0, 1) // bug
  await Promise.all(ends)
  console.log('both went through')
} else {
  const gate = workerData
  parentPort.postMessage('at the gate')
  Atomics.wait(gate, 0, 0) // bug
}
