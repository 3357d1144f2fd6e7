/** What a visitor has looked at, in a session that is one JSON text. By node-redis. */
// expects: atomicity at key session:9
// protection: WATCH
import assert from 'node:assert/strict'
import express from 'express'
import { createClient, createClientPool, WatchError } from 'redis'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const redis = await createClient({ url: process.env.REDIS_URL }).connect()
const pool = await createClientPool({ url: process.env.REDIS_URL }).connect()
await redis.flushDb()
await redis.set('session:9', JSON.stringify({ seen: [] }))

const look = choose({
  async wrong(id, item) {
    const session = JSON.parse(await redis.get(`session:${id}`)) // bug
    session.seen.push(item)
    await here()
    await redis.set(`session:${id}`, JSON.stringify(session), { EX: 3600 }) // bug
  },
  async right(id, item) {
    for (;;) {
      try {
        await pool.execute(async (client) => {
          await client.watch(`session:${id}`)
          const session = JSON.parse(await client.get(`session:${id}`))
          session.seen.push(item)
          await client.multi().set(`session:${id}`, JSON.stringify(session), { EX: 3600 }).exec()
        })
        return
      } catch (error) {
        if (!(error instanceof WatchError)) throw error
      }
    }
  },
})

const app = express()
app.post('/sessions/:id/items/:item', async (request, response) => {
  await look(request.params.id, request.params.item)
  response.json({})
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
const ask = (item) => () => postJson(`${url}/sessions/9/items/${item}`)
await clients(ask('shoes'), ask('hat'))
const { seen } = JSON.parse(await redis.get('session:9'))
assert.deepEqual(seen.toSorted(), ['hat', 'shoes'])
await close()
await redis.close()
await pool.close()
console.log('both were seen')
