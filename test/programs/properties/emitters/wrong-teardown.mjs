// A connection is taken apart while an answer is under way: its error finds no listener.
// flags: --max-findings 1 --confirm 1
import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs'

const connection = new EventEmitter()
connection.on('error', () => {})
setTimeout(() => {
  readFile('there is no such file', (error) => connection.emit('error', error)) // expect ErrorAfterTeardown
}, 1)
setTimeout(() => connection.removeAllListeners(), 50)
