/** A worker pushes numbers into a ring, the main thread pops them. */
import { Worker, isMainThread, workerData } from 'node:worker_threads'
import { RingBuffer } from 'ringbuf.js'

const COUNT = 20
if (isMainThread) {
  const storage = RingBuffer.getStorageForCapacity(7, Float32Array)
  const ring = new RingBuffer(storage, Float32Array)
  new Worker(new URL(import.meta.url), { workerData: storage })
  const popped = new Float32Array(4)
  let next = 0
  const timer = setInterval(() => {
    for (let n = ring.pop(popped); n > 0; n = ring.pop(popped))
      for (const value of popped.subarray(0, n)) if (value !== next++) throw new Error(`${value} instead of ${next - 1}`)
    if (next < COUNT) return
    clearInterval(timer)
    console.log(`${next} numbers in order`)
  }, 1)
} else {
  const ring = new RingBuffer(workerData, Float32Array)
  const data = new Float32Array(3)
  let next = 0
  const timer = setInterval(() => {
    for (let i = 0; i < data.length; i++) data[i] = next + i
    next += ring.push(data.subarray(0, Math.min(data.length, COUNT - next)))
    if (next === COUNT) clearInterval(timer)
  }, 1)
}
