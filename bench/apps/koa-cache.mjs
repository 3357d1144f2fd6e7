/** A cache in Redis in front of something slow, behind koa: of those who come at once one computes. */
import assert from 'node:assert/strict'
import Koa from 'koa'
import { Redis } from 'ioredis'
import { listening, REDIS, sleep, together } from './_parts.mjs'

const redis = new Redis(REDIS)
await redis.del('cache:a', 'cache:b')
let computed = 0
const running = new Map()
async function compute(key) {
  computed++
  await sleep(20)
  await redis.set(`cache:${key}`, `value of ${key}`, 'PX', 60_000)
  running.delete(key)
  return `value of ${key}`
}
const app = new Koa()
app.use(async (ctx) => {
  const key = ctx.path.slice(1)
  const found = await redis.get(`cache:${key}`)
  if (found !== null) ctx.body = found
  else {
    if (!running.has(key)) running.set(key, compute(key))
    ctx.body = await running.get(key)
  }
})
const { url, close } = await listening(app.listen(0))
const bodies = await together(6, async (i) => (await fetch(`${url}/${'ab'[i % 2]}`)).text())
assert.equal(new Set(bodies).size, 2)
assert.equal(await (await fetch(`${url}/a`)).text(), 'value of a')
assert.ok(computed >= 2)
await close()
await redis.del('cache:a', 'cache:b')
redis.disconnect()
console.log('bodies:', bodies.length)
