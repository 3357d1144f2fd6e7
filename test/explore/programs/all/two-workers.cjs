// Two workers count in one cell. Which of them is heard of first is for the event loop.
const { Worker, isMainThread, workerData } = require('node:worker_threads')

if (isMainThread) {
  const cells = new Int32Array(new SharedArrayBuffer(4))
  for (let i = 0; i < 2; i++) new Worker(__filename, { workerData: cells })
} else Atomics.add(workerData, 0, 1)
