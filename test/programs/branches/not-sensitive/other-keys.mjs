/** Other keys of the same Map, Set, object and array. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const map = new Map([['b', 1]])
const set = new Set(['b'])
const object = { a: 0, b: 1 }
const list = [0, 0]
let found = 0

async function write() {
  await access(new URL(import.meta.url))
  map.set('a', 2)
  set.delete('c')
  object.a = 2
  list[0] = 2
}

async function look() {
  await sleep(80)
  if (map.get('b') === 1) found++
  if (set.has('b')) found++
  if (object.b === 1) found++
  if (list[1] === 0) found++
}

await Promise.all([write(), look()])
console.log(`${found} found`)
