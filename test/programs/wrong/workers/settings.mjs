/**
 * One worker writes the settings into shared memory and keeps watching them, another serves requests; the main thread reads the settings once the
 * server is up.
 * Wrong: nothing makes the main thread wait for the settings. The server starts later and takes its time, so they are there, usually.
 */
// expects: order-violation, data-race at main#1[0]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const LIMIT = 0

if (isMainThread) {
  const settings = new Int32Array(new SharedArrayBuffer(4))
  const loader = new Worker(new URL(import.meta.url), { workerData: { settings, role: 'loader' } })
  const loaded = once(loader, 'exit')
  await once(loader, 'message')
  const server = new Worker(new URL(import.meta.url), { workerData: { settings, role: 'server' } })
  await once(server, 'message')
  const limit = settings[LIMIT] // bug
  for (const worker of [loader, server]) worker.postMessage('stop')
  await Promise.all([loaded, once(server, 'exit')])
  assert.equal(limit, 50, 'the limit was read before it was set')
  console.log(`at most ${limit} requests`)
} else if (workerData.role === 'loader') {
  parentPort.once('message', () => {})
  parentPort.postMessage('watching')
  workerData.settings[LIMIT] = 50 // bug
} else {
  parentPort.once('message', () => {})
  parentPort.postMessage('up')
}
