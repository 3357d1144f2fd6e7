/** One worker writes the settings into shared memory and says so; the main thread reads them after that message, and lets the server stop. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const LIMIT = 0

if (isMainThread) {
  const settings = new Int32Array(new SharedArrayBuffer(4))
  const loader = new Worker(new URL(import.meta.url), { workerData: { settings, role: 'loader' } })
  const loaded = once(loader, 'message')
  const server = new Worker(new URL(import.meta.url), { workerData: { settings, role: 'server' } })
  await Promise.all([loaded, once(server, 'message')])
  const limit = settings[LIMIT]
  server.postMessage('stop')
  await once(server, 'exit')
  assert.equal(limit, 50, 'the limit was read before it was set')
  console.log(`at most ${limit} requests`)
} else if (workerData.role === 'loader') {
  workerData.settings[LIMIT] = 50
  parentPort.postMessage('loaded')
} else {
  parentPort.once('message', () => {})
  parentPort.postMessage('up')
}
