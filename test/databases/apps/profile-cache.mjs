/** Names of users in PostgreSQL, with a cache in Redis in front. Who has changed a name reads the new one. */
// expects: atomicity at key user:8
// protection: Lua
import assert from 'node:assert/strict'
import express from 'express'
import pg from 'pg'
import { createClient } from 'redis'
import { choose, clients, getJson, here, listening, postJson } from './_parts.mjs'

const redis = await createClient({ url: process.env.REDIS_URL }).connect()
const pool = new pg.Pool({ max: 4 })
await redis.del('user:8')
await pool.query('DROP TABLE IF EXISTS profiles')
await pool.query('CREATE TABLE profiles (id int PRIMARY KEY, name text, version int)')
await pool.query("INSERT INTO profiles VALUES (8, 'Ada', 1)")

/** Only a newer version replaces what is kept. */
const NEWER = `
  local kept = redis.call('GET', KEYS[1])
  if kept and cjson.decode(kept).version >= tonumber(ARGV[1]) then return 0 end
  redis.call('SET', KEYS[1], ARGV[2])
  return 1`
const keep = (key, profile) => redis.eval(NEWER, { keys: [key], arguments: [`${profile.version}`, JSON.stringify(profile)] })

const select = async (id) => (await pool.query('SELECT name, version FROM profiles WHERE id = $1', [id])).rows[0]
const update = async (id, name) =>
  (await pool.query('UPDATE profiles SET name = $1, version = version + 1 WHERE id = $2 RETURNING name, version', [name, id])).rows[0]

const profiles = choose({
  wrong: {
    async read(id) {
      const kept = await redis.get(`user:${id}`) // bug
      if (kept !== null) return JSON.parse(kept)
      const profile = await select(id)
      await here()
      await redis.set(`user:${id}`, JSON.stringify(profile)) // bug
      return profile
    },
    async rename(id, name) {
      await update(id, name)
      await redis.del(`user:${id}`) // bug
    },
  },
  right: {
    async read(id) {
      const kept = await redis.get(`user:${id}`)
      if (kept !== null) return JSON.parse(kept)
      const profile = await select(id)
      await here()
      await keep(`user:${id}`, profile)
      return profile
    },
    async rename(id, name) {
      await keep(`user:${id}`, await update(id, name))
    },
  },
})

const app = express()
app.use(express.json())
app.get('/users/:id', async (request, response) => {
  response.json(await profiles.read(Number(request.params.id)))
})
app.post('/users/:id', async (request, response) => {
  await profiles.rename(Number(request.params.id), request.body.name)
  response.json({ renamed: true })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => getJson(`${url}/users/8`),
  () => postJson(`${url}/users/8`, { name: 'Ada L.' }),
)
assert.equal((await getJson(`${url}/users/8`)).name, 'Ada L.')
await close()
await redis.close()
await pool.end()
console.log('the new name')
