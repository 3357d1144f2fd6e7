/** An invitation that three people may accept. */
// expects: atomicity at invitations[code=x1]
// protection: serializable
import assert from 'node:assert/strict'
import express from 'express'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS invitations')
await pool.query('CREATE TABLE invitations (code text PRIMARY KEY, uses int NOT NULL)')
await pool.query("INSERT INTO invitations VALUES ('x1', 2)")

const begin = choose({ wrong: 'BEGIN', right: 'BEGIN ISOLATION LEVEL SERIALIZABLE' })

async function accept(code) {
  const client = await pool.connect()
  try {
    await client.query(begin)
    const { rows } = await client.query('SELECT uses FROM invitations WHERE code = $1', [code]) // bug
    await here()
    if (rows[0].uses < 3) await client.query('UPDATE invitations SET uses = uses + 1 WHERE code = $1', [code]) // bug
    await client.query('COMMIT')
    return rows[0].uses < 3
  } catch (error) {
    await client.query('ROLLBACK')
    // Serialization failure: another transaction was first.
    if (error.code === '40001') return undefined
    throw error
  } finally {
    client.release()
  }
}

const app = express()
app.post('/invitations/:code', async (request, response) => {
  let accepted
  while (accepted === undefined) accepted = await accept(request.params.code)
  response.json({ accepted })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/invitations/x1`),
  () => postJson(`${url}/invitations/x1`),
)
const { rows } = await pool.query("SELECT uses FROM invitations WHERE code = 'x1'")
assert.equal(rows[0].uses, 3)
await close()
await pool.end()
console.log('three uses')
