/** A list in Redis is emptied in batches, while others put something in. */
// expects: atomicity at key inbox
// protection: MULTI
import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import { choose, clients, here } from './_parts.mjs'

const redis = new Redis(process.env.REDIS_URL)
await redis.del('inbox')
await redis.rpush('inbox', 'one')

const handled = []
const drain = choose({
  async wrong() {
    const all = await redis.lrange('inbox', 0, -1) // bug
    await here()
    await redis.del('inbox') // bug
    handled.push(...all)
  },
  async right() {
    const [[, all]] = await redis.multi().lrange('inbox', 0, -1).del('inbox').exec()
    await here()
    handled.push(...all)
  },
})

const arrive = async (message) => {
  await redis.rpush('inbox', message) // bug
}
await clients(
  () => drain(),
  () => arrive('two'),
)
await drain()
assert.deepEqual(handled, ['one', 'two'])
await redis.quit()
console.log('both handled')
