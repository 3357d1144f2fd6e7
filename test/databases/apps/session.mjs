/** A session that a request changes while the user logs out. */
// expects: atomicity at key session:77
// protection: SET XX
import assert from 'node:assert/strict'
import express from 'express'
import { Redis } from 'ioredis'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const redis = new Redis(process.env.REDIS_URL)
await redis.set('session:77', JSON.stringify({ user: 'ada', seen: 0 }))

const save = choose({
  wrong: (id, session) => redis.set(`session:${id}`, JSON.stringify(session)), // bug
  right: (id, session) => redis.set(`session:${id}`, JSON.stringify(session), 'XX'),
})

const app = express()
app.post('/sessions/:id/seen', async (request, response) => {
  const { id } = request.params
  const session = JSON.parse(await redis.get(`session:${id}`)) // bug
  await here()
  if (session !== null) await save(id, { ...session, seen: session.seen + 1 })
  response.json({ seen: session?.seen })
})
app.post('/sessions/:id/log-out', async (request, response) => {
  await redis.del(`session:${request.params.id}`) // bug
  response.json({ out: true })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/sessions/77/seen`),
  () => postJson(`${url}/sessions/77/log-out`),
)
assert.equal(await redis.get('session:77'), null)
await close()
await redis.quit()
console.log('logged out')
