/** Points of a player, from two games that end. */
// expects: atomicity at key scores
// protection: HINCRBY
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import { createClient } from 'redis'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const redis = await createClient({ url: process.env.REDIS_URL }).connect()
await redis.del('scores')
await redis.hSet('scores', 'ada', 10)

const score = choose({
  async wrong(player, points) {
    const before = Number(await redis.hGet('scores', player)) // bug
    await here()
    await redis.hSet('scores', player, before + points) // bug
  },
  async right(player, points) {
    await redis.hIncrBy('scores', player, points)
  },
})

const app = Fastify()
app.post('/scores/:player', async (request) => {
  await score(request.params.player, request.body.points)
  return { scored: true }
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { url } = await listening(app.server)
await clients(
  () => postJson(`${url}/scores/ada`, { points: 5 }),
  () => postJson(`${url}/scores/ada`, { points: 7 }),
)
assert.equal(await redis.hGet('scores', 'ada'), '22')
await app.close()
await redis.close()
console.log('22 points')
