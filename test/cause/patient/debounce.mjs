/** Changes are written 30 ms after the last one; the driver sleeps, and looks. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import assert from 'node:assert/strict'

const file = join(await mkdtemp(join(tmpdir(), 'patient-')), 'state')
let [value, timer] = [0, undefined]
let writing = Promise.resolve()
function change() {
  value++
  clearTimeout(timer)
  timer = setTimeout(() => {
    writing = writing.then(() => writeFile(file, String(value)))
  }, 30)
}
for (let i = 0; i < 3; i++) {
  change()
  await sleep(5)
}
await sleep(250)
assert.equal(await readFile(file, 'utf8'), '3')
console.log('written once')
