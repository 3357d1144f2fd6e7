/** Two services of one program: a shop asks a warehouse over HTTP. */
// expects: atomicity at /stock/7
// protection: one request
import assert from 'node:assert/strict'
import express from 'express'
import Fastify from 'fastify'
import { choose, clients, getJson, here, listening, postJson } from './_parts.mjs'

const stock = new Map([['7', 1]])
const warehouse = Fastify()
warehouse.get('/stock/:id', async (request) => ({ pieces: stock.get(request.params.id) }))
warehouse.put('/stock/:id', async (request) => {
  stock.set(request.params.id, request.body.pieces)
  return { pieces: request.body.pieces }
})
warehouse.post('/stock/:id/take', async (request) => {
  const pieces = stock.get(request.params.id)
  if (pieces > 0) stock.set(request.params.id, pieces - 1)
  return { taken: pieces > 0 }
})
await warehouse.listen({ port: 0, host: '127.0.0.1' })
const { url: at } = await listening(warehouse.server)

const take = choose({
  async wrong(id) {
    const { pieces } = await getJson(`${at}/stock/${id}`) // bug
    if (pieces === 0) return false
    const headers = { 'content-type': 'application/json' }
    await here()
    await fetch(`${at}/stock/${id}`, { method: 'PUT', headers, body: JSON.stringify({ pieces: pieces - 1 }) }) // bug
    return true
  },
  async right(id) {
    return (await postJson(`${at}/stock/${id}/take`)).body.taken
  },
})

const shop = express()
shop.post('/orders/:id', async (request, response) => {
  response.json({ sold: await take(request.params.id) })
})
const { url, close } = await listening(shop.listen(0, '127.0.0.1'))
const answers = await clients(
  () => postJson(`${url}/orders/7`),
  () => postJson(`${url}/orders/7`),
)
assert.equal(answers.filter(({ body }) => body.sold).length, 1)
await close()
await warehouse.close()
console.log('sold once')
