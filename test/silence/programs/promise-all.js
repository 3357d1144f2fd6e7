/** Promise.all keeps the order of its arguments, whoever finishes first. */
import assert from 'node:assert'
import { readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const here = new URL(import.meta.url)
const results = await Promise.all([
  sleep(20, 'slow'),
  readFile(here, 'utf8').then((text) => text.length),
  stat(here).then(({ size }) => size),
  sleep(5, 'fast'),
  Promise.all([1, Promise.resolve(2), sleep(1, 3)]),
])
assert.equal(results[0], 'slow')
assert.equal(results[1], results[2])
assert.deepEqual(results.slice(3), ['fast', [1, 2, 3]])
console.log('in order')
