/** A cache of promises: concurrent misses load once, a failed load is not kept. */
import assert from 'node:assert'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

class Cache {
  #entries = new Map()
  get(key, load) {
    let entry = this.#entries.get(key)
    if (!entry) {
      entry = load(key)
      this.#entries.set(key, entry)
      entry.catch(() => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key)
      })
    }
    return entry
  }
}

const cache = new Cache()
let loads = 0
const load = async (path) => {
  loads++
  return (await readFile(path, 'utf8')).length
}
const path = new URL(import.meta.url)
const a = cache.get(path.href, () => load(path))
await sleep(3)
const b = cache.get(path.href, () => load(path))
assert.equal(await a, await b)
assert.equal(loads, 1)
await assert.rejects(cache.get('x', () => load('/nowhere')))
await assert.rejects(cache.get('x', () => load('/nowhere')))
assert.equal(loads, 3)
console.log('3 loads')
