/** A newsletter goes to all subscribers, two at a time. Somebody unsubscribes meanwhile. */
// expects: atomicity at subscribers
// pattern: dirty iteration
// protection: repeatable read
import assert from 'node:assert/strict'
import express from 'express'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS subscribers')
await pool.query('CREATE TABLE subscribers (id int PRIMARY KEY, name text NOT NULL)')
await pool.query("INSERT INTO subscribers VALUES (1, 'ada'), (2, 'bob'), (3, 'eve')")

const begin = choose({ wrong: 'BEGIN', right: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' })
const sent = []

async function send() {
  const client = await pool.connect()
  await client.query(begin)
  for (let offset = 0; ; offset += 2) {
    const { rows } = await client.query('SELECT name FROM subscribers ORDER BY id LIMIT 2 OFFSET $1', [offset]) // bug
    sent.push(...rows.map(({ name }) => name))
    if (rows.length < 2) break
    await here()
  }
  await client.query('COMMIT')
  client.release()
}

const app = express()
app.post('/newsletter', async (_, response) => {
  await send()
  response.json({ sent: sent.length })
})
app.post('/subscribers/:id/end', async (request, response) => {
  await pool.query('DELETE FROM subscribers WHERE id = $1', [Number(request.params.id)]) // bug
  response.json({ ended: true })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/newsletter`),
  () => postJson(`${url}/subscribers/1/end`),
)
assert.ok(sent.includes('eve'), 'who stays gets the newsletter')
await close()
await pool.end()
console.log('eve got it')
