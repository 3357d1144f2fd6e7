/** One request per customer and minute. */
// expects: atomicity at key limit:12
// protection: INCR
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { choose, clients, here, listening } from './_parts.mjs'

const redis = new Redis(process.env.REDIS_URL)
await redis.del('limit:12')
const LIMIT = 1

const allowed = choose({
  async wrong(customer) {
    const used = Number(await redis.get(`limit:${customer}`)) // bug
    if (used >= LIMIT) return false
    await here()
    await redis.set(`limit:${customer}`, used + 1, 'EX', 60) // bug
    return true
  },
  async right(customer) {
    const used = await redis.incr(`limit:${customer}`)
    if (used === 1) await redis.expire(`limit:${customer}`, 60)
    return used <= LIMIT
  },
})

const app = Fastify()
app.get('/report', async (request, reply) => {
  if (!(await allowed(request.headers['x-customer']))) return reply.code(429).send({ error: 'too many' })
  return { report: 'long' }
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { url } = await listening(app.server)
const ask = async () => {
  const answer = await fetch(`${url}/report`, { headers: { 'x-customer': '12' } })
  await answer.text()
  return answer.status
}
assert.deepEqual((await clients(ask, ask)).toSorted(), [200, 429])
await app.close()
await redis.quit()
console.log('one of two')
