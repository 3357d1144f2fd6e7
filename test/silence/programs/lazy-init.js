/** Initialised once, however many ask at the same time: the promise is kept, not the value. */
import assert from 'node:assert'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let loads = 0
let config
const load = () =>
  (config ??= (async () => {
    loads++
    const text = await readFile(new URL(import.meta.url), 'utf8')
    return { length: text.length }
  })())

const early = [load(), load()]
await sleep(5)
const late = load()
const all = await Promise.all([...early, late])
assert.equal(loads, 1)
assert.ok(all.every((one) => one === all[0] && one.length > 100))
console.log('loaded once')
