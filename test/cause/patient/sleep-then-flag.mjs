/** The driver sleeps instead of waiting for an event. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import assert from 'node:assert/strict'

const seen = []
async function load(name) {
  const text = await readFile(new URL(import.meta.url), 'utf8')
  seen.push(`${name} ${text.length > 0}`)
}
void load('a')
void load('b')
await sleep(200)
assert.equal(seen.length, 2)
console.log('two loaded')
