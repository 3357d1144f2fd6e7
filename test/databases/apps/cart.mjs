/** Two tabs put something into the same cart. */
// expects: atomicity at key cart:42
// protection: WATCH
import assert from 'node:assert/strict'
import express from 'express'
import { createClient, WatchError } from 'redis'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const redis = await createClient({ url: process.env.REDIS_URL }).connect()
await redis.del('cart:42')

const put = choose({
  async wrong(key, item) {
    const items = JSON.parse((await redis.get(key)) ?? '[]') // bug
    await here()
    await redis.set(key, JSON.stringify([...items, item])) // bug
  },
  async right(key, item) {
    // A watched key belongs to its connection.
    const connection = await redis.duplicate().connect()
    for (let done = false; !done;) {
      await connection.watch(key)
      const items = JSON.parse((await connection.get(key)) ?? '[]')
      try {
        await connection
          .multi()
          .set(key, JSON.stringify([...items, item]))
          .exec()
        done = true
      } catch (error) {
        if (!(error instanceof WatchError)) throw error
      }
    }
    await connection.close()
  },
})

const app = express()
app.use(express.json())
app.post('/carts/:id', async (request, response) => {
  await put(`cart:${request.params.id}`, request.body.item)
  response.json({ put: true })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/carts/42`, { item: 'book' }),
  () => postJson(`${url}/carts/42`, { item: 'pen' }),
)
assert.deepEqual(JSON.parse(await redis.get('cart:42')).toSorted(), ['book', 'pen'])
await close()
await redis.close()
console.log('two items')
