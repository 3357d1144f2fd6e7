/** Sessions in Redis behind express, with a time to live. */
import assert from 'node:assert/strict'
import express from 'express'
import { Redis } from 'ioredis'
import { listening, REDIS, together } from './_parts.mjs'

const redis = new Redis(REDIS)
const app = express()
app.get('/login/:user', async (req, res) => {
  const id = `session:${req.params.user}`
  await redis.set(id, JSON.stringify({ user: req.params.user }), 'EX', 60)
  await redis.incr('logins')
  res.json({ id })
})
app.get('/me', async (req, res) => {
  const found = await redis.get(req.get('x-session') ?? '')
  if (found === null) res.sendStatus(401)
  else res.json(JSON.parse(found))
})
const { url, close } = await listening(app.listen(0))
await redis.del('logins')
const users = await together(6, async (i) => {
  const { id } = await (await fetch(`${url}/login/user${i}`)).json()
  const me = await (await fetch(`${url}/me`, { headers: { 'x-session': id } })).json()
  await redis.del(id)
  return me.user
})
assert.deepEqual(users, ['user0', 'user1', 'user2', 'user3', 'user4', 'user5'])
assert.equal((await fetch(`${url}/me`)).status, 401)
assert.equal(await redis.getdel('logins'), '6')
await close()
await redis.quit()
console.log('users:', users.length)
