/**
 * A picture goes from the main thread to a worker that makes it lighter, and from there straight to another that adds it up. The buffer is moved, not
 * copied, and so are the two ends of the channel between the workers.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { MessageChannel, Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

if (isMainThread) {
  const start = (role) => new Worker(new URL(import.meta.url), { workerData: role })
  const lighten = start('lighten')
  const add = start('add')
  const { port1, port2 } = new MessageChannel()
  const picture = Uint8Array.from([10, 20, 30, 40])
  add.postMessage(port2, [port2])
  lighten.postMessage({ picture, port: port1 }, [picture.buffer, port1])
  assert.equal(picture.length, 0, 'the picture was copied')
  const [sum] = await once(add, 'message')
  assert.equal(sum, 104)
  console.log(`the picture adds up to ${sum}`)
} else if (workerData === 'lighten') {
  const [{ picture, port }] = await once(parentPort, 'message')
  for (let i = 0; i < picture.length; i++) picture[i] += 1
  port.postMessage(picture, [picture.buffer])
  port.close()
} else {
  const [port] = await once(parentPort, 'message')
  const [picture] = await once(port, 'message')
  parentPort.postMessage(picture.reduce((a, b) => a + b))
  port.close()
}
