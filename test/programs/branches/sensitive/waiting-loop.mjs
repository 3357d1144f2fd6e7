/** A loop that waits for a flag: how often it goes round depends on the schedule, and nothing else does. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let ready = false

async function prepare() {
  await access(new URL(import.meta.url))
  ready = true
}

async function start() {
  while (!ready) await sleep(80) // sensitive: ad hoc
  return 'started'
}

const [, how] = await Promise.all([prepare(), start()])
console.log(how)
