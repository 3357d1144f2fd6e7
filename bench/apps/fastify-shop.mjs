/** A shop on fastify with hooks, a schema and a short delay in a handler. */
import assert from 'node:assert/strict'
import fastify from 'fastify'
import { sleep, together } from './_parts.mjs'

const app = fastify()
const stock = new Map([['tea', 3]])
let requests = 0
app.addHook('onRequest', async () => {
  requests++
})
app.post('/buy/:what', { schema: { params: { type: 'object', properties: { what: { type: 'string' } } } } }, async (req, reply) => {
  const left = stock.get(req.params.what) ?? 0
  if (left === 0) return reply.code(409).send({ error: 'sold out' })
  stock.set(req.params.what, left - 1)
  await sleep(5)
  return { left: left - 1 }
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const answers = await together(5, async () => (await fetch(`${url}/buy/tea`, { method: 'POST' })).status)
assert.deepEqual(answers.sort(), [200, 200, 200, 409, 409])
const injected = await app.inject({ method: 'POST', url: '/buy/tea' })
assert.equal(injected.statusCode, 409)
await app.close()
console.log('requests:', requests)
