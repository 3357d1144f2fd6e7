/** A job that an interval starts, and that must not run twice at the same time. By pg. */
// expects: atomicity at jobs[name=digest]
// protection: advisory lock
import assert from 'node:assert/strict'
import pg from 'pg'
import { choose, clients, here } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS jobs, digests')
await pool.query('CREATE TABLE jobs (name text PRIMARY KEY, day int NOT NULL)')
await pool.query('CREATE TABLE digests (id serial PRIMARY KEY, day int NOT NULL)')
await pool.query("INSERT INTO jobs VALUES ('digest', 0)")

const isDue = async (db) => (await db.query("SELECT day FROM jobs WHERE name = 'digest'")).rows[0].day < 1 // bug
const work = async (db) => {
  await db.query('INSERT INTO digests (day) VALUES (1)')
  await here()
  await db.query("UPDATE jobs SET day = 1 WHERE name = 'digest'") // bug
}

const tick = choose({
  async wrong() {
    if (await isDue(pool)) await work(pool)
  },
  async right() {
    const client = await pool.connect()
    try {
      const { rows } = await client.query('SELECT pg_try_advisory_lock(77) AS mine')
      if (!rows[0].mine) return
      try {
        if (await isDue(client)) await work(client)
      } finally {
        await client.query('SELECT pg_advisory_unlock(77)')
      }
    } finally {
      client.release()
    }
  },
})

await clients(tick, tick)
const { rows } = await pool.query('SELECT count(*)::int AS count FROM digests')
assert.equal(rows[0].count, 1)
await pool.end()
console.log('one digest')
