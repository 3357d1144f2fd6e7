/** An import that must not run twice at once, with a lock in Redis that expires. */
// expects: atomicity at key lock:import
// protection: SET NX
import assert from 'node:assert/strict'
import Koa from 'koa'
import { Redis } from 'ioredis'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const redis = new Redis(process.env.REDIS_URL)
await redis.del('lock:import', 'imports')

const acquire = choose({
  async wrong() {
    if ((await redis.get('lock:import')) !== null) return false // bug
    await here()
    await redis.set('lock:import', 'taken', 'PX', 60_000) // bug
    return true
  },
  async right() {
    return (await redis.set('lock:import', 'taken', 'PX', 60_000, 'NX')) === 'OK'
  },
})

const app = new Koa()
app.use(async (context) => {
  const started = await acquire()
  if (started) await redis.incr('imports')
  context.body = { started }
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/import`),
  () => postJson(`${url}/import`),
)
assert.equal(await redis.get('imports'), '1')
await close()
await redis.quit()
console.log('one import')
