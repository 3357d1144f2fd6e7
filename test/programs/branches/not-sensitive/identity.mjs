/** TAME, figure 8: the same field of another object is written. And a write of 1 is followed by a write of 0 in the same turn. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

class Point {
  x = 0
}

const o = new Point()
const o2 = new Point()
let done = 0

async function write() {
  await access(new URL(import.meta.url))
  o.x = 1
  o.x = 0
  o2.x = 1
}

async function look() {
  await sleep(80)
  if (o.x > 0) throw new Error('never') // not sensitive
  done++
}

await Promise.all([write(), look()])
console.log(`done ${done}`)
