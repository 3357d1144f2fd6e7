/** Orders in PostgreSQL behind fastify; a number per customer from the database. */
import assert from 'node:assert/strict'
import fastify from 'fastify'
import pg from 'pg'
import { POSTGRES, together } from './_parts.mjs'

const pool = new pg.Pool({ ...POSTGRES, max: 3 })
await pool.query('drop table if exists orders')
await pool.query('create table orders (id serial primary key, customer text, item text)')
const app = fastify()
app.post('/orders', async (req) => {
  const { customer, item } = req.body
  const { rows } = await pool.query('insert into orders (customer, item) values ($1, $2) returning id', [customer, item])
  return rows[0]
})
app.get(
  '/orders/:customer',
  async (req) => (await pool.query('select item from orders where customer = $1 order by item', [req.params.customer])).rows,
)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const headers = { 'content-type': 'application/json' }
await together(9, (i) =>
  fetch(`${url}/orders`, { method: 'POST', headers, body: JSON.stringify({ customer: `c${i % 3}`, item: `i${i}` }) }),
)
const items = await together(3, async (i) => (await (await fetch(`${url}/orders/c${i}`)).json()).map((row) => row.item))
assert.deepEqual(items, [
  ['i0', 'i3', 'i6'],
  ['i1', 'i4', 'i7'],
  ['i2', 'i5', 'i8'],
])
await app.close()
await pool.query('drop table orders')
await pool.end()
console.log('orders:', items.flat().length)
