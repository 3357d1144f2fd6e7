/** What comes within 30 ms is written together; what comes later goes into the next batch. */
import { mkdtemp, appendFile, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const file = join(await mkdtemp(join(tmpdir(), 'patient-')), 'log')
let batch = []
let writing = Promise.resolve()
function add(word) {
  batch.push(word)
  if (batch.length > 1) return
  setTimeout(() => {
    const words = batch
    batch = []
    writing = writing.then(() => appendFile(file, `${words.join(' ')}\n`))
  }, 30)
}
add('a')
add('b')
await sleep(60)
add('c')
await sleep(100)
await writing
const words = (await readFile(file, 'utf8')).split(/\s/).filter(Boolean)
if (words.join('') !== 'abc') throw new Error(`written: ${words}`)
console.log('a b c')
