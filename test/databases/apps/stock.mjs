/** Two orders for the last item. */
// expects: atomicity at items[id=7]
// protection: atomic statement
import assert from 'node:assert/strict'
import express from 'express'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS items')
await pool.query('CREATE TABLE items (id int PRIMARY KEY, stock int NOT NULL)')
await pool.query('INSERT INTO items VALUES (7, 1), (8, 5)')

const take = choose({
  async wrong(id) {
    const { rows } = await pool.query('SELECT stock FROM items WHERE id = $1', [id]) // bug
    if (rows[0].stock === 0) return false
    await here()
    await pool.query('UPDATE items SET stock = stock - 1 WHERE id = $1', [id]) // bug
    return true
  },
  async right(id) {
    const { rowCount } = await pool.query('UPDATE items SET stock = stock - 1 WHERE id = $1 AND stock > 0', [id])
    return rowCount === 1
  },
})

const app = express()
app.post('/orders/:id', async (request, response) => {
  const taken = await take(Number(request.params.id))
  response.status(taken ? 201 : 409).json({ taken })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/orders/7`),
  () => postJson(`${url}/orders/7`),
)
const { rows } = await pool.query('SELECT stock FROM items WHERE id = 7')
assert.equal(rows[0].stock, 0)
await close()
await pool.end()
console.log('sold out')
