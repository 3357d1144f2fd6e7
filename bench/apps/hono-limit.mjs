/** A rate limit by counters in Redis that expire, behind hono. */
import assert from 'node:assert/strict'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createClient } from 'redis'
import { listening, REDIS, together } from './_parts.mjs'

const redis = createClient({ socket: REDIS })
await redis.connect()
await redis.del('limit:me')
const app = new Hono()
app.use(async (c, next) => {
  const count = await redis.incr('limit:me')
  if (count === 1) await redis.expire('limit:me', 60)
  if (count > 4) return c.text('slow down', 429)
  return next()
})
app.get('/', (c) => c.text('hello'))
const { url, close } = await listening(serve({ fetch: app.fetch, port: 0 }))
const statuses = await together(7, async () => (await fetch(url)).status)
assert.deepEqual(statuses.sort(), [200, 200, 200, 200, 429, 429, 429])
await redis.del('limit:me')
await close()
await redis.quit()
console.log('statuses:', statuses.length)
