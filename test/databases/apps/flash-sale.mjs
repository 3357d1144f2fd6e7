/** The last piece of a flash sale, counted in Redis. */
// expects: atomicity at key pieces:lamp
// protection: Lua
import assert from 'node:assert/strict'
import Koa from 'koa'
import { createClient } from 'redis'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const redis = await createClient({ url: process.env.REDIS_URL }).connect()
await redis.set('pieces:lamp', 1)

const TAKE = `
  if tonumber(redis.call('GET', KEYS[1])) < 1 then return 0 end
  redis.call('DECR', KEYS[1])
  return 1`

const take = choose({
  async wrong(key) {
    if (Number(await redis.get(key)) < 1) return false // bug
    await here()
    await redis.decr(key) // bug
    return true
  },
  async right(key) {
    return (await redis.eval(TAKE, { keys: [key] })) === 1
  },
})

const app = new Koa()
app.use(async (context) => {
  context.body = { taken: await take('pieces:lamp') }
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/sale/lamp`),
  () => postJson(`${url}/sale/lamp`),
)
assert.equal(await redis.get('pieces:lamp'), '0')
await close()
await redis.close()
console.log('none left')
