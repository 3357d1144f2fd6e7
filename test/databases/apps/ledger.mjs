/** Two transfers from one account; no money comes or goes. */
// expects: atomicity at accounts[id=1]
// protection: FOR UPDATE
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS accounts')
await pool.query('CREATE TABLE accounts (id int PRIMARY KEY, cents int NOT NULL)')
await pool.query('INSERT INTO accounts VALUES (1, 1000), (2, 0), (3, 0)')

const transfer = choose({
  async wrong(client, from, to, cents) {
    const { rows } = await client.query('SELECT cents FROM accounts WHERE id = $1', [from]) // bug
    await here()
    await client.query('UPDATE accounts SET cents = $1 WHERE id = $2', [rows[0].cents - cents, from]) // bug
    await client.query('UPDATE accounts SET cents = cents + $1 WHERE id = $2', [cents, to])
  },
  async right(client, from, to, cents) {
    const { rows } = await client.query('SELECT cents FROM accounts WHERE id = $1 FOR UPDATE', [from])
    await client.query('UPDATE accounts SET cents = $1 WHERE id = $2', [rows[0].cents - cents, from])
    await client.query('UPDATE accounts SET cents = cents + $1 WHERE id = $2', [cents, to])
  },
})

const app = Fastify()
app.post('/transfers', async (request) => {
  const { from, to, cents } = request.body
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await transfer(client, from, to, cents)
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  return { done: true }
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { url } = await listening(app.server)
await clients(
  () => postJson(`${url}/transfers`, { from: 1, to: 2, cents: 300 }),
  () => postJson(`${url}/transfers`, { from: 1, to: 3, cents: 500 }),
)
const { rows } = await pool.query('SELECT sum(cents)::int AS cents FROM accounts')
assert.equal(rows[0].cents, 1000)
await app.close()
await pool.end()
console.log('balanced')
