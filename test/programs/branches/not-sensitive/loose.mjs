/** Different values that the operators take for the same: == of null and undefined, truthiness, int32, typeof. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const shared = { a: null, b: 0, c: 5, d: 'x', e: NaN }
let same = 0

async function write() {
  await access(new URL(import.meta.url))
  shared.a = undefined
  shared.b = ''
  shared.c = 5.5
  shared.d = 'y'
  shared.e = 0
}

async function look() {
  await sleep(80)
  if (shared.a == null) same++
  if (shared.a ?? true) same++
  if (shared.b == 0) same++
  if (!shared.b) same++
  if ((shared.c | 0) === 5) same++
  if (typeof shared.d === 'string') same++
  if (shared.d.length === 1) same++
  same += shared.e || 1
  if (!(shared.e > 0) && !(shared.e < 0)) same++
}

await Promise.all([write(), look()])
console.log(`${same} of 9`)
