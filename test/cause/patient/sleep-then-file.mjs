/** The driver sleeps instead of waiting for the file. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import assert from 'node:assert/strict'

const file = join(await mkdtemp(join(tmpdir(), 'patient-')), 'log')
await writeFile(file, '')
const log = (line) => void writeFile(file, line, { flag: 'a' })
log('one\n')
await sleep(300)
assert.equal(await readFile(file, 'utf8'), 'one\n')
console.log('logged')
