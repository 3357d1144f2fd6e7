// A worker and its maker count in one cell: small enough that all classes of its schedules are run.
const { Worker, isMainThread, workerData } = require('node:worker_threads')

if (isMainThread) {
  const cells = new Int32Array(new SharedArrayBuffer(4))
  new Worker(__filename, { workerData: cells })
  const mine = Atomics.add(cells, 0, 1)
  if (mine > 1) throw new Error('somebody else counts')
} else Atomics.add(workerData, 0, 1)
