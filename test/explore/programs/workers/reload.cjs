// A worker that is told of a new configuration before its first job drops its connections and makes others. Fails when a job comes in between. Told by messages; in the recorded run the jobs come first.
const { MessageChannel, Worker, isMainThread, receiveMessageOnPort, workerData } = require('node:worker_threads')
const [CHANGED, OPEN] = [0, 1]
const CLOSED = -1

if (isMainThread) {
  const cells = new Int32Array(new SharedArrayBuffer(8))
  const right = process.argv[2] === 'right'
  const { port1, port2 } = new MessageChannel()
  new Worker(__filename, { workerData: { role: 'pool', cells, right, port: port1 }, transferList: [port1] })
  new Worker(__filename, { workerData: { role: 'jobs', cells, right } })
  const watcher = new Worker(__filename, { workerData: { role: 'watcher', cells, right } })
  watcher.on('message', (text) => port2.postMessage(text))
  watcher.on('exit', () => port2.close())
} else {
  const { role, cells, right, port } = workerData
  const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  if (role === 'pool') {
    Atomics.store(cells, OPEN, 3)
    pause(150)
    if (Atomics.load(cells, CHANGED) === 1) {
      if (!right) Atomics.store(cells, OPEN, CLOSED)
      receiveMessageOnPort(port)
      Atomics.store(cells, OPEN, 5)
    }
    port.close()
  } else if (role === 'jobs') {
    pause(250)
    if (Atomics.load(cells, CHANGED) === 1 && Atomics.load(cells, OPEN) === CLOSED) throw new Error('a job without a connection')
  } else {
    pause(400)
    Atomics.store(cells, CHANGED, 1)
    require('node:worker_threads').parentPort.postMessage('changed')
  }
}
