/** A payment provider that delivers the same event twice. */
// expects: atomicity at events
// pattern: double submit
// protection: unique constraint
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS events, balances')
await pool.query(
  choose({
    wrong: 'CREATE TABLE events (id text, at timestamptz DEFAULT now())',
    right: 'CREATE TABLE events (id text PRIMARY KEY, at timestamptz DEFAULT now())',
  }),
)
await pool.query('CREATE TABLE balances (customer int PRIMARY KEY, cents int NOT NULL)')
await pool.query('INSERT INTO balances VALUES (5, 0)')

/** Was it new? */
const isNew = choose({
  async wrong(client, id) {
    const { rowCount } = await client.query('SELECT 1 FROM events WHERE id = $1', [id]) // bug
    if (rowCount > 0) return false
    await here()
    await client.query('INSERT INTO events (id) VALUES ($1)', [id]) // bug
    return true
  },
  async right(client, id) {
    const { rowCount } = await client.query('INSERT INTO events (id) VALUES ($1) ON CONFLICT (id) DO NOTHING RETURNING id', [id])
    return rowCount === 1
  },
})

const app = Fastify()
app.post('/webhooks/payments', async (request) => {
  const { id, customer, cents } = request.body
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    if (await isNew(client, id)) await client.query('UPDATE balances SET cents = cents + $1 WHERE customer = $2', [cents, customer])
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  return { received: true }
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { url } = await listening(app.server)
const deliver = () => postJson(`${url}/webhooks/payments`, { id: 'evt_88', customer: 5, cents: 1999 })
await clients(deliver, deliver)
const { rows } = await pool.query('SELECT cents FROM balances WHERE customer = 5')
assert.equal(rows[0].cents, 1999)
await app.close()
await pool.end()
console.log('paid once')
