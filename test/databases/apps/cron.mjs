/** A job that runs at fixed times and sends open invoices. The next run begins while the last one may not be done. */
// expects: atomicity at invoices
// protection: advisory lock
import assert from 'node:assert/strict'
import pg from 'pg'
import { choose, clients, here } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS invoices')
await pool.query('CREATE TABLE invoices (id int PRIMARY KEY, state text NOT NULL)')
await pool.query("INSERT INTO invoices VALUES (1, 'open'), (2, 'sent')")

const mails = []

async function sendOpen(client) {
  const { rows } = await client.query("SELECT id FROM invoices WHERE state = 'open'") // bug
  for (const { id } of rows) {
    mails.push(id)
    await here()
    await client.query("UPDATE invoices SET state = 'sent' WHERE id = $1", [id]) // bug
  }
}

const run = choose({
  wrong: sendOpen,
  async right(client) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock(42) AS mine')
    if (!rows[0].mine) return
    await sendOpen(client)
    await client.query('SELECT pg_advisory_unlock(42)')
  },
})

async function tick() {
  const client = await pool.connect()
  await run(client)
  client.release()
}
await clients(tick, tick)
assert.deepEqual(mails, [1])
await pool.end()
console.log('one mail')
