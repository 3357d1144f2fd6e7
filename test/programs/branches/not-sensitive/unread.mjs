/** A variable that differs from run to run, and on which nothing is decided. */
// flags: --timers latency
import { setTimeout as sleep } from 'node:timers/promises'

let last = ''
const times = []
let marks = 0

async function mark(name, ms) {
  await sleep(ms)
  last = name
  times.push(`${last}!`)
  if (last === name) marks++
}

await Promise.all([mark('a', 10), mark('b', 20), mark('c', 30)])
if (times.length === 3) console.log(`${marks} marks`)
