/** A job that is taken and not done within 500 ms is given to somebody else; each is done once. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const jobs = ['a', 'b', 'c'].map((name) => ({ name, hidden: 0, done: 0 }))
const next = () => {
  const job = jobs.find(({ done, hidden }) => done === 0 && Date.now() >= hidden)
  if (job) job.hidden = Date.now() + 500
  return job
}
async function worker() {
  while (jobs.some(({ done }) => done === 0)) {
    const job = next()
    if (!job) {
      await sleep(20)
      continue
    }
    await readFile(new URL(import.meta.url))
    job.done++
  }
}
await Promise.all([worker(), sleep(3).then(worker)])
if (jobs.some(({ done }) => done !== 1)) throw new Error('a job was done twice')
console.log('three jobs')
