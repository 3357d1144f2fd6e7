/** A file that is exported and counted, with the lock of the package redlock. */
// expects: atomicity at key exports
// protection: SET NX
import assert from 'node:assert/strict'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Redis } from 'ioredis'
import Redlock from 'redlock'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const redis = new Redis(process.env.REDIS_URL)
await redis.del('exports', 'lock:exports')
const redlock = new Redlock([redis], { retryCount: 50, retryDelay: 50 })

async function count() {
  const before = Number(await redis.get('exports')) // bug
  await here()
  await redis.set('exports', before + 1) // bug
}

const run = choose({
  wrong: count,
  async right() {
    const lock = await redlock.lock('lock:exports', 60_000)
    await count()
    await lock.unlock()
  },
})

const app = new Hono()
app.post('/exports', async (context) => {
  await run()
  return context.json({ exported: true })
})
const { url, close } = await listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
await clients(
  () => postJson(`${url}/exports`),
  () => postJson(`${url}/exports`),
)
assert.equal(await redis.get('exports'), '2')
await close()
await redis.quit()
console.log('two exports')
