/** A job that fails is put back and tried again after a while, at most four times; the second one needs what the first one makes. */
import { access, mkdtemp, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const file = join(await mkdtemp(join(tmpdir(), 'patient-')), 'made')
const jobs = [
  { name: 'make', run: () => sleep(10).then(() => writeFile(file, 'x')), tries: 0 },
  { name: 'use', run: () => access(file), tries: 0 },
]
const done = []
async function worker() {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    try {
      await job.run()
      done.push(job.name)
    } catch (error) {
      if (++job.tries === 4) throw error
      await sleep(30 * job.tries)
      jobs.push(job)
    }
  }
}
await Promise.all([worker(), worker()])
if (done.length !== 2) throw new Error(`done: ${done}`)
console.log('make use')
