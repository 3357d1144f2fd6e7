// Somebody listens to the end.
import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs'

const connection = new EventEmitter()
connection.on('error', () => {})
setTimeout(() => {
  readFile('there is no such file', (error) => connection.emit('error', error))
}, 1)
setTimeout(() => {
  connection.removeAllListeners()
  connection.on('error', () => {})
}, 50) // ok
