/** Both writers write the same value, one by way of arithmetic. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let state = 'ready'
let level = 4
let seen = 0

async function one() {
  await access(new URL(import.meta.url))
  state = 'rea' + 'dy'
  level = Math.sqrt(16)
}

async function look() {
  await sleep(80)
  if (state === 'ready') seen++
  if (level === 4) seen++
}

await Promise.all([one(), look()])
console.log(`${seen} seen`)
