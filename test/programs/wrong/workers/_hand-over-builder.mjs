/** Of hand-over.mjs: writes where each word starts. */
import { parentPort, workerData } from 'node:worker_threads'

const words = ['a', 'heddle', 'lifts', 'the', 'thread']
parentPort.postMessage('built')
let at = 0
for (const [i, word] of words.entries()) {
  workerData[i] = at
  at += word.length + 1
}
