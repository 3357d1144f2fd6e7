/** A table as a queue, and two workers. */
// expects: atomicity at jobs
// protection: FOR UPDATE
import assert from 'node:assert/strict'
import pg from 'pg'
import { choose, clients, here } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS jobs')
await pool.query('CREATE TABLE jobs (id int PRIMARY KEY, state text NOT NULL)')
await pool.query("INSERT INTO jobs VALUES (1, 'new'), (2, 'new')")

const next = choose({
  wrong: "SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1",
  right: "SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED",
})
const done = []

async function worker() {
  const client = await pool.connect()
  await client.query('BEGIN')
  const { rows } = await client.query(next) // bug
  for (const { id } of rows) {
    done.push(id)
    await here()
    await client.query("UPDATE jobs SET state = 'done' WHERE id = $1", [id]) // bug
  }
  await client.query('COMMIT')
  client.release()
}
await clients(worker, worker)
assert.deepEqual(done.toSorted(), [1, 2])
await pool.end()
console.log('each job once')
