/**
 * Two workers hash a password, one at a low cost and one at a high one; the main thread puts their results side by side.
 * Wrong: the results are kept in the order in which they arrive. A cheap hash that is overtaken by a costly one ends in the wrong place.
 */
// expects: order-violation at messages
const assert = require('node:assert/strict')
const { pbkdf2Sync } = require('node:crypto')
const { once } = require('node:events')
const { Worker, isMainThread, parentPort } = require('node:worker_threads')

const COSTS = [100, 150_000]

if (isMainThread) {
  main()
} else {
  parentPort.once('message', (cost) => {
    pbkdf2Sync('password', 'salt', cost, 16, 'sha256')
    parentPort.postMessage(cost) // bug
  })
  parentPort.postMessage('ready')
}

async function main() {
  const workers = COSTS.map(() => new Worker(__filename))
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  const done = []
  workers.forEach((worker, i) => {
    worker.on('message', (cost) => done.push(cost)) // bug
    worker.postMessage(COSTS[i])
  })
  await Promise.all(workers.map((worker) => once(worker, 'exit')))
  assert.deepEqual(done, COSTS)
  console.log(`costs ${done.join(' ')}`)
}
