/** Accounts in PostgreSQL behind express: transfers in transactions that lock their rows. */
import assert from 'node:assert/strict'
import express from 'express'
import pg from 'pg'
import { listening, POSTGRES, together } from './_parts.mjs'

const pool = new pg.Pool({ ...POSTGRES, max: 4 })
await pool.query('drop table if exists accounts; create table accounts (id int primary key, balance int)')
await pool.query('insert into accounts select i, 100 from generate_series(1, 4) i')

const app = express()
app.post('/transfer/:from/:to', async (req, res) => {
  const ids = [Number(req.params.from), Number(req.params.to)]
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select * from accounts where id = any($1) order by id for update', [ids])
    await client.query('update accounts set balance = balance - 10 where id = $1', [ids[0]])
    await client.query('update accounts set balance = balance + 10 where id = $1', [ids[1]])
    await client.query('commit')
    res.json({ ok: true })
  } finally {
    client.release()
  }
})
const { url, close } = await listening(app.listen(0))
await together(6, (i) => fetch(`${url}/transfer/${(i % 4) + 1}/${((i + 1) % 4) + 1}`, { method: 'POST' }))
const { rows } = await pool.query('select sum(balance)::int as sum from accounts')
assert.equal(rows[0].sum, 400)
await close()
await pool.query('drop table accounts')
await pool.end()
console.log('sum:', rows[0].sum)
