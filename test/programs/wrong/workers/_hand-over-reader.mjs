/** Of hand-over.mjs: cuts a word out of the text by the index. */
import { workerData } from 'node:worker_threads'

const word = 'a heddle lifts the thread'.slice(workerData[2], workerData[3] - 1)
if (word !== 'lifts') throw new Error(`the third word is "${word}"`)
