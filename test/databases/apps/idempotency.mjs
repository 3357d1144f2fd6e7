/** Payments with a key of the client: who sends one twice pays once. By pg. */
// expects: atomicity at requests[key=k-1]
// protection: unique constraint
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import pg from 'pg'
import { choose, clients, here } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS requests, payments')
await pool.query('CREATE TABLE requests (key text PRIMARY KEY, status int)')
await pool.query('CREATE TABLE payments (id serial PRIMARY KEY, cents int NOT NULL)')

const pay = choose({
  async wrong(key, cents) {
    const { rows } = await pool.query('SELECT status FROM requests WHERE key = $1', [key]) // bug
    if (rows.length > 0) return rows[0].status
    await here()
    await pool.query('INSERT INTO payments (cents) VALUES ($1)', [cents])
    await pool.query('INSERT INTO requests (key, status) VALUES ($1, 201) ON CONFLICT (key) DO UPDATE SET status = 201', [key]) // bug
    return 201
  },
  async right(key, cents) {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      const { rowCount } = await client.query('INSERT INTO requests (key, status) VALUES ($1, 201) ON CONFLICT (key) DO NOTHING', [key])
      if (rowCount === 1) await client.query('INSERT INTO payments (cents) VALUES ($1)', [cents])
      await client.query('COMMIT')
      return 201
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    } finally {
      client.release()
    }
  },
})

const app = Fastify()
app.post('/payments', async (request, reply) => {
  return reply.code(await pay(request.headers['idempotency-key'], request.body.cents)).send({})
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const ask = async () => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'k-1' }
  const answer = await fetch(`${url}/payments`, { method: 'POST', headers, body: '{"cents":500}' })
  await answer.text()
}
await clients(ask, ask)
const { rows } = await pool.query('SELECT count(*)::int AS count FROM payments')
assert.equal(rows[0].count, 1)
await app.close()
await pool.end()
console.log('paid once')
