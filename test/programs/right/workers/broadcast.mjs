/** Three workers stand ready and start on one signal, which the main thread sends to all of them by a BroadcastChannel. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { BroadcastChannel, Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const channel = new BroadcastChannel('race')
if (isMainThread) {
  const laps = new Int32Array(new SharedArrayBuffer(12))
  const workers = [0, 1, 2].map((me) => new Worker(new URL(import.meta.url), { workerData: { laps, me } }))
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  assert.deepEqual([...laps], [0, 0, 0], 'a false start')
  channel.postMessage('go')
  await Promise.all(workers.map((worker) => once(worker, 'exit')))
  channel.close()
  assert.deepEqual([...laps], [5, 5, 5])
  console.log('15 laps')
} else {
  const { laps, me } = workerData
  channel.onmessage = () => {
    for (let lap = 0; lap < 5; lap++) laps[me]++
    channel.close()
  }
  parentPort.postMessage('ready')
}
