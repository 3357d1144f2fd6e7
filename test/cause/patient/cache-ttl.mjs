/** A cache whose entries live for a second: within that time there is one load. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const entries = new Map()
let loads = 0
function get(key) {
  const known = entries.get(key)
  if (known && Date.now() < known.until) return known.promise
  loads++
  const promise = readFile(new URL(import.meta.url), 'utf8')
  entries.set(key, { promise, until: Date.now() + 1000 })
  return promise
}
await Promise.all([get('a'), sleep(20).then(() => get('a')), sleep(40).then(() => get('a'))])
if (loads !== 1) throw new Error(`${loads} loads`)
console.log('one load')
