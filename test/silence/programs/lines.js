/** readline over a file, line by line, with work between the lines. */
import assert from 'node:assert'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const lines = createInterface({ input: createReadStream(fileURLToPath(import.meta.url)), crlfDelay: Infinity })
const words = new Map()
let n = 0
for await (const line of lines) {
  if (++n % 8 === 0) await sleep(1)
  for (const word of line.match(/\w+/g) ?? []) words.set(word, (words.get(word) ?? 0) + 1)
}
assert.equal(words.get('import'), 7)
assert.ok(n > 15)
console.log(`${n} lines`)
