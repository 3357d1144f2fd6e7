/** A lease of 300 ms that its holder renews every 50 ms, and that others respect until it has expired. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const file = join(await mkdtemp(join(tmpdir(), 'patient-')), 'data')
await writeFile(file, 'begin')
let lease = { holder: undefined, until: 0 }
function take(holder) {
  if (lease.holder !== undefined && lease.holder !== holder && Date.now() < lease.until) return false
  lease = { holder, until: Date.now() + 300 }
  return true
}
async function work(name) {
  while (!take(name)) await sleep(40)
  const renewing = setInterval(() => take(name), 50)
  const text = await readFile(file, 'utf8')
  await sleep(20)
  if (lease.holder !== name) throw new Error(`${name} has lost its lease`)
  await writeFile(file, `${text} ${name}`)
  clearInterval(renewing)
  lease = { holder: undefined, until: 0 }
}
await Promise.all([work('a'), sleep(5).then(() => work('b'))])
if ((await readFile(file, 'utf8')) !== 'begin a b') throw new Error('a change is lost')
console.log('a b')
