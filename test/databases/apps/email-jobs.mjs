/** Jobs that send mails. The same mail was put into the queue twice. */
// expects: atomicity at key sent:welcome:3
// protection: SET NX
import assert from 'node:assert/strict'
import { Queue, QueueEvents, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { choose, clients, here } from './_parts.mjs'

const { hostname: host, port, pathname } = new URL(process.env.REDIS_URL)
const connection = { host, port: Number(port), db: Number(pathname.slice(1) || 0), maxRetriesPerRequest: null }
const redis = new Redis(connection)
await redis.flushdb()

const mails = []
const send = choose({
  async wrong(mail) {
    if ((await redis.get(`sent:${mail}`)) !== null) return // bug
    mails.push(mail)
    await here()
    await redis.set(`sent:${mail}`, 'yes') // bug
  },
  async right(mail) {
    if ((await redis.set(`sent:${mail}`, 'yes', 'NX')) === 'OK') mails.push(mail)
  },
})

const queue = new Queue('mails', { connection })
const events = new QueueEvents('mails', { connection })
await events.waitUntilReady()
const worker = new Worker('mails', (job) => send(job.data.mail), { connection, concurrency: 2 })
await worker.waitUntilReady()
const add = async () => {
  const job = await queue.add('welcome', { mail: 'welcome:3' })
  await job.waitUntilFinished(events)
}
await clients(add, add)
assert.deepEqual(mails, ['welcome:3'])
await worker.close()
await events.close()
await queue.close()
await redis.quit()
console.log('one mail')
