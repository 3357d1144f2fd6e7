/**
 * The main thread asks a worker for digests and sleeps until the answer is there, at most 200 ms; an answer takes some ten.
 * Wrong: after a time-out it goes on to the next question, and the answer to the first one, which comes late, is taken for that of the second.
 */
// expects: order-violation
const assert = require('node:assert/strict')
const { pbkdf2Sync } = require('node:crypto')
const { Worker, isMainThread, parentPort, receiveMessageOnPort, workerData, MessageChannel } = require('node:worker_threads')

const digest = (text) => pbkdf2Sync(text, 'salt', 10_000, 16, 'sha256').toString('hex')

if (isMainThread) {
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(__filename, { workerData: { answered, port: port2 }, transferList: [port2] })
  worker.once('message', () => {
    const ask = (text) => {
      port.postMessage(text)
      for (;;) {
        const seen = Atomics.load(answered, 0)
        const got = receiveMessageOnPort(port) // bug
        if (got !== undefined) return got.message
        if (Atomics.wait(answered, 0, seen, 200) === 'timed-out') return undefined // bug
      }
    }
    const answers = ['alpha', 'beta'].map((text) => ask(text) ?? digest(text))
    assert.deepEqual(answers, ['alpha', 'beta'].map(digest))
    console.log('2 digests')
    port.close()
  })
} else {
  const { answered, port } = workerData
  port.on('message', (text) => {
    port.postMessage(digest(text)) // bug
    Atomics.add(answered, 0, 1) // bug
    Atomics.notify(answered, 0) // bug
  })
  parentPort.postMessage('ready')
}
