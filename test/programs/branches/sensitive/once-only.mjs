/** Check, wait, act: an order that is asked for twice is carried out once, unless the second request comes while the first one waits. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const done = new Set()
let shipped = 0

async function ship(id) {
  if (done.has(id)) return // sensitive: harmful
  await access(new URL(import.meta.url))
  done.add(id)
  shipped++
}

async function later(id) {
  await sleep(80)
  await ship(id)
}

await Promise.all([ship('a'), later('a'), ship('b')])
if (shipped !== 2) throw new Error(`shipped ${shipped} times`) // sensitive: harmful
console.log('shipped')
