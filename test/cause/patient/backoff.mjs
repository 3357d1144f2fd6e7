/** Asks for a result that is not there yet, and waits twice as long each time; after six times it gives up. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const file = join(await mkdtemp(join(tmpdir(), 'patient-')), 'result')
const job = sleep(30).then(() => writeFile(file, 'done'))
async function result() {
  for (let wait = 10; wait <= 320; wait *= 2) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text !== '') return text
    await sleep(wait)
  }
  throw new Error('no result')
}
if ((await result()) !== 'done') throw new Error('half a result')
await job
console.log('done')
