/**
 * The main thread asks a worker and sleeps until the answer is there, as libraries do that make an asynchronous function look synchronous. There
 * is no time-out, and each answer names its question.
 */
const assert = require('node:assert/strict')
const { MessageChannel, Worker, isMainThread, receiveMessageOnPort, workerData } = require('node:worker_threads')

if (isMainThread) {
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2 } = new MessageChannel()
  new Worker(__filename, { workerData: { answered, port: port2 }, transferList: [port2] })
  const squares = [1, 2, 3, 4].map((n, id) => {
    port.postMessage({ id, n })
    // Again, because the bell for the answer before may ring late.
    while (Atomics.load(answered, 0) === id) Atomics.wait(answered, 0, id)
    const { message } = receiveMessageOnPort(port)
    assert.equal(message.id, id)
    return message.square
  })
  port.close()
  assert.deepEqual(squares, [1, 4, 9, 16])
  console.log(`squares ${squares.join(' ')}`)
} else {
  const { answered, port } = workerData
  port.on('message', async ({ id, n }) => {
    const square = await Promise.resolve(n * n)
    port.postMessage({ id, square })
    Atomics.add(answered, 0, 1)
    Atomics.notify(answered, 0)
  })
}
