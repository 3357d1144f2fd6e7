/** Needs REDIS. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Queue, QueueEvents, Worker } from 'bullmq'

const connection = { url: process.env.REDIS_URL, maxRetriesPerRequest: null }

test('jobs are done, and one is tried again', async () => {
  const queue = new Queue('bench', { connection })
  await queue.obliterate({ force: true })
  const events = new QueueEvents('bench', { connection })
  await events.waitUntilReady()
  const worker = new Worker(
    'bench',
    async (job) => {
      if (job.name === 'twice' && job.attemptsMade === 0) throw new Error('once more')
      return job.data.n * 2
    },
    { connection },
  )
  const jobs = [await queue.add('plain', { n: 1 }), await queue.add('plain', { n: 2 }), await queue.add('twice', { n: 3 }, { attempts: 2 })]
  assert.deepEqual(await Promise.all(jobs.map((job) => job.waitUntilFinished(events))), [2, 4, 6])
  await worker.close()
  await events.close()
  await queue.obliterate({ force: true })
  await queue.close()
})
