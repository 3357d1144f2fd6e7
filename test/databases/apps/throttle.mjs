/** One call in a window for each customer, by ioredis. */
// expects: atomicity at key calls:17
// protection: INCR
import assert from 'node:assert/strict'
import { Hono } from 'hono'
import { serve } from '@hono/node-server'
import { Redis } from 'ioredis'
import { choose, clients, here, listening } from './_parts.mjs'

const redis = new Redis(process.env.REDIS_URL)
await redis.flushdb()

const isAllowed = choose({
  async wrong(customer) {
    const calls = Number((await redis.get(`calls:${customer}`)) ?? 0) // bug
    if (calls >= 1) return false
    await here()
    await redis.multi().incr(`calls:${customer}`).expire(`calls:${customer}`, 60).exec() // bug
    return true
  },
  async right(customer) {
    const calls = await redis.incr(`calls:${customer}`)
    if (calls === 1) await redis.expire(`calls:${customer}`, 60)
    return calls <= 1
  },
})

const app = new Hono()
app.get('/report/:customer', async (c) => {
  if (!(await isAllowed(c.req.param('customer')))) return c.json({ error: 'too many calls' }, 429)
  return c.json({ rows: [] })
})
const { url, close } = await listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
const ask = async () => {
  const answer = await fetch(`${url}/report/17`)
  await answer.text()
  return answer.status
}
const statuses = await clients(ask, ask)
assert.deepEqual(statuses.toSorted(), [200, 429])
await close()
await redis.quit()
console.log('one call')
