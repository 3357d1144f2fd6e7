/** Of hand-over.mjs: writes where each word starts, and then says so. */
import { parentPort, workerData } from 'node:worker_threads'

const words = ['a', 'heddle', 'lifts', 'the', 'thread']
let at = 0
for (const [i, word] of words.entries()) {
  workerData[i] = at
  at += word.length + 1
}
parentPort.postMessage('built')
