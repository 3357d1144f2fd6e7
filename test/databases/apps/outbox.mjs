/** Messages go out in batches, while new ones come in. */
// expects: atomicity at outbox
// protection: atomic statement
import assert from 'node:assert/strict'
import express from 'express'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS outbox')
await pool.query('CREATE TABLE outbox (id serial PRIMARY KEY, text text, sent boolean NOT NULL DEFAULT false)')

const delivered = []
const flush = choose({
  async wrong() {
    const { rows } = await pool.query('SELECT text FROM outbox WHERE NOT sent') // bug
    await here()
    await pool.query('UPDATE outbox SET sent = true WHERE NOT sent') // bug
    delivered.push(...rows.map(({ text }) => text))
  },
  async right() {
    const { rows } = await pool.query('UPDATE outbox SET sent = true WHERE NOT sent RETURNING text')
    await here()
    delivered.push(...rows.map(({ text }) => text))
  },
})

const app = express()
app.use(express.json())
app.post('/messages', async (request, response) => {
  await pool.query('INSERT INTO outbox (text) VALUES ($1)', [request.body.text]) // bug
  response.status(202).json({ accepted: true })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await postJson(`${url}/messages`, { text: 'one' })
await clients(
  () => flush(),
  () => postJson(`${url}/messages`, { text: 'two' }),
)
await flush()
assert.deepEqual(delivered, ['one', 'two'])
await close()
await pool.end()
console.log('both delivered')
