/** Promise.allSettled and Promise.any: failures are counted, none is left unhandled. */
import assert from 'node:assert'
import { access, readFile } from 'node:fs/promises'

const files = [new URL(import.meta.url), '/nowhere/1', '/nowhere/2']
const settled = await Promise.allSettled(files.map((file) => access(file)))
assert.deepEqual(
  settled.map(({ status }) => status),
  ['fulfilled', 'rejected', 'rejected'],
)
const text = await Promise.any(files.map((file) => readFile(file, 'utf8')))
assert.match(text, /Promise\.any/)
await assert.rejects(Promise.any(files.slice(1).map((file) => readFile(file))), AggregateError)
console.log('1 of 3')
