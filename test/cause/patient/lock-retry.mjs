/** A lock that is a folder. Who does not get it tries again 20 times, and then gives up. */
import { mkdir, mkdtemp, readFile, rmdir, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = await mkdtemp(join(tmpdir(), 'patient-'))
const [lock, file] = [join(folder, 'lock'), join(folder, 'count')]
await writeFile(file, '0')
async function locked(action) {
  for (let left = 20; ; left--) {
    try {
      await mkdir(lock)
      break
    } catch {
      if (left === 0) throw new Error('could not get the lock')
      await sleep(25)
    }
  }
  try {
    await action()
  } finally {
    await rmdir(lock)
  }
}
const increment = () => locked(async () => writeFile(file, String(Number(await readFile(file, 'utf8')) + 1)))
await Promise.all([increment(), sleep(10).then(increment), sleep(20).then(increment)])
if ((await readFile(file, 'utf8')) !== '3') throw new Error('an update is lost')
console.log('3')
