// Each role is a worker of its own, over one row of shared cells. The process fails if one of them does. With the argument `right` roles get `true`.
const { Worker, isMainThread, workerData } = require('node:worker_threads')

exports.run = (file, roles) => {
  if (isMainThread) {
    const cells = new Int32Array(new SharedArrayBuffer(64))
    for (const role of Object.keys(roles)) new Worker(file, { workerData: { role, cells, right: process.argv[2] === 'right' } })
  } else roles[workerData.role](workerData.cells, workerData.right)
}

exports.pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
