// One ticket, two buyers. It passes every time you run it: bob comes 20 ms after ann, and disks are faster than that.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const folder = await mkdtemp('/tmp/tickets-')
const file = `${folder}/left.json`
await writeFile(file, '1')

async function buy(name) {
  const left = JSON.parse(await readFile(file, 'utf8'))
  if (left === 0) return []
  await writeFile(file, JSON.stringify(left - 1))
  return [name]
}

const sold = await Promise.all([buy('ann'), sleep(20).then(() => buy('bob'))])
await rm(folder, { recursive: true })
if (sold.flat().length > 1) throw new Error(`The last ticket was sold to ${sold.flat().join(' and to ')}`)
