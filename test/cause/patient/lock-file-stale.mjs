/** A lock is a file with a time; who finds one older than a second takes it for left behind. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = await mkdtemp(join(tmpdir(), 'patient-'))
const [lock, file] = [join(folder, 'lock'), join(folder, 'list')]
await writeFile(file, '')
async function take() {
  for (;;) {
    try {
      await writeFile(lock, String(Date.now()), { flag: 'wx' })
      return
    } catch {
      const since = Number(await readFile(lock, 'utf8').catch(() => Date.now()))
      if (since > 0 && Date.now() - since > 1000) await rm(lock, { force: true })
      else await sleep(15)
    }
  }
}
async function append(word) {
  await take()
  await writeFile(file, `${await readFile(file, 'utf8')}${word}\n`)
  await rm(lock)
}
await Promise.all([append('a'), append('b')])
if ((await readFile(file, 'utf8')).length !== 4) throw new Error('a line is lost')
console.log('two lines')
