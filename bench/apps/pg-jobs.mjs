/** Jobs in PostgreSQL that workers take with `skip locked`, told of by `notify`. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { POSTGRES, together } from './_parts.mjs'

const pool = new pg.Pool({ ...POSTGRES, max: 5 })
await pool.query('drop table if exists jobs')
await pool.query('create table jobs (id int primary key, done boolean default false)')
const listener = new pg.Client(POSTGRES)
await listener.connect()
await listener.query('listen jobs_done')
let told = 0
const all = new Promise((resolve) => {
  listener.on('notification', () => {
    if (++told === 6) resolve()
  })
})
await pool.query('insert into jobs select i from generate_series(1, 6) i')
await together(2, async () => {
  for (;;) {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query('select id from jobs where not done order by id limit 1 for update skip locked')
      if (rows.length > 0) {
        await client.query('update jobs set done = true where id = $1', [rows[0].id])
        await client.query("select pg_notify('jobs_done', $1)", [`${rows[0].id}`])
      }
      await client.query('commit')
      if (rows.length === 0) return
    } finally {
      client.release()
    }
  }
})
await all
const { rows } = await pool.query('select count(*)::int as n from jobs where done')
assert.equal(rows[0].n, 6)
await listener.end()
await pool.query('drop table jobs')
await pool.end()
console.log('jobs:', told)
