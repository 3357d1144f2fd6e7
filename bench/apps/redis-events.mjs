/** A list in Redis as a queue, with two consumers that block, and a channel that tells the results. */
import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import { REDIS } from './_parts.mjs'

const redis = new Redis(REDIS)
const subscriber = new Redis(REDIS)
const consumers = [new Redis(REDIS), new Redis(REDIS)]
await redis.del('work')
await subscriber.subscribe('results')
const results = []
const all = new Promise((resolve) => {
  subscriber.on('message', (_channel, message) => {
    results.push(Number(message))
    if (results.length === 8) resolve()
  })
})
const consuming = consumers.map(async (consumer) => {
  for (;;) {
    const found = await consumer.blpop('work', 5)
    if (found === null || found[1] === 'stop') return
    await redis.publish('results', `${Number(found[1]) * 2}`)
  }
})
for (let i = 0; i < 8; i++) await redis.rpush('work', `${i}`)
await all
await redis.rpush('work', 'stop', 'stop')
await Promise.all(consuming)
assert.deepEqual(
  results.sort((a, b) => a - b),
  [0, 2, 4, 6, 8, 10, 12, 14],
)
await Promise.all([redis, subscriber, ...consumers].map((client) => client.quit()))
console.log('results:', results.length)
