/**
 * The main thread asks a worker for digests and sleeps until the answer is there, at most 200 ms; then it computes the digest itself. Questions and
 * answers have numbers: a late answer to an earlier question is thrown away.
 */
const assert = require('node:assert/strict')
const { pbkdf2Sync } = require('node:crypto')
const { Worker, isMainThread, parentPort, receiveMessageOnPort, workerData, MessageChannel } = require('node:worker_threads')

const digest = (text) => pbkdf2Sync(text, 'salt', 10_000, 16, 'sha256').toString('hex')

if (isMainThread) {
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(__filename, { workerData: { answered, port: port2 }, transferList: [port2] })
  let asked = 0
  worker.once('message', () => {
    const ask = (text) => {
      const id = ++asked
      port.postMessage({ id, text })
      for (;;) {
        const seen = Atomics.load(answered, 0)
        for (let got; (got = receiveMessageOnPort(port));) if (got.message.id === id) return got.message.digest
        if (Atomics.wait(answered, 0, seen, 200) === 'timed-out') return undefined
      }
    }
    const answers = ['alpha', 'beta'].map((text) => ask(text) ?? digest(text))
    assert.deepEqual(answers, ['alpha', 'beta'].map(digest))
    console.log('2 digests')
    port.close()
  })
} else {
  const { answered, port } = workerData
  port.on('message', ({ id, text }) => {
    port.postMessage({ id, digest: digest(text) })
    Atomics.add(answered, 0, 1)
    Atomics.notify(answered, 0)
  })
  parentPort.postMessage('ready')
}
