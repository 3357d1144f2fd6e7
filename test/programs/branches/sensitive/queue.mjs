/** A consumer that drains a queue once: what comes later stays there. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const queue = []
let handled = 0

async function produce() {
  await access(new URL(import.meta.url))
  queue.push(2)
  queue.push(4)
}

async function consume() {
  await sleep(80)
  while (queue.length > 0) handled += queue.shift() // sensitive: harmful
}

await Promise.all([produce(), consume()])
if (handled !== 6) throw new Error('something is left') // sensitive: harmful
console.log('handled all')
