/** Needs POSTGRES. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'

const pool = new pg.Pool({ max: 3 })
before(() => pool.query('drop table if exists bench_pg; create table bench_pg (id serial primary key, name text unique)'))
after(async () => {
  await pool.query('drop table bench_pg')
  await pool.end()
})

test('queries at once', async () => {
  const results = await Promise.all([1, 2, 3, 4, 5].map((n) => pool.query('select $1::int * 2 as n', [n])))
  assert.deepEqual(
    results.map(({ rows }) => rows[0].n),
    [2, 4, 6, 8, 10],
  )
})
test('a transaction that is taken back', async () => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query("insert into bench_pg (name) values ('a')")
    await client.query('rollback')
  } finally {
    client.release()
  }
  assert.equal((await pool.query('select * from bench_pg')).rowCount, 0)
})
test('an error is told', async () => {
  await pool.query("insert into bench_pg (name) values ('b')")
  await assert.rejects(pool.query("insert into bench_pg (name) values ('b')"), { code: '23505' })
})
test('a large result', async () => {
  const { rows } = await pool.query("select i, repeat('x', 100) as text from generate_series(1, 2000) i")
  assert.equal(rows.length, 2000)
})
