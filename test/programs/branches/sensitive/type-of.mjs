/** A handler that may not be there yet. Without it the event is lost, and the program waits for it in vain. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let handler
let events = 0

async function listen() {
  await access(new URL(import.meta.url))
  handler = (n) => (events += n)
}

async function emit() {
  await sleep(80)
  if (typeof handler === 'function') handler(1) // sensitive: harmful
}

await Promise.all([listen(), emit()])
if (events !== 1) throw new Error('the event was lost') // sensitive: harmful
console.log('heard')
