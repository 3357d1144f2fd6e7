/** Two visitors reserve the same seat. */
// expects: atomicity at seats[id=14]
// protection: compare-and-set
import assert from 'node:assert/strict'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS seats')
await pool.query('CREATE TABLE seats (id int PRIMARY KEY, visitor text)')
await pool.query('INSERT INTO seats SELECT i FROM generate_series(1, 20) i')

const reserve = choose({
  async wrong(seat, visitor) {
    const { rows } = await pool.query('SELECT visitor FROM seats WHERE id = $1', [seat]) // bug
    if (rows[0].visitor !== null) return false
    await here()
    await pool.query('UPDATE seats SET visitor = $1 WHERE id = $2', [visitor, seat]) // bug
    return true
  },
  async right(seat, visitor) {
    const { rows } = await pool.query('SELECT visitor FROM seats WHERE id = $1', [seat])
    if (rows[0].visitor !== null) return false
    const { rowCount } = await pool.query('UPDATE seats SET visitor = $1 WHERE id = $2 AND visitor IS NULL', [visitor, seat])
    return rowCount === 1
  },
})

const app = new Hono()
app.post('/seats/:id', async (context) => {
  const { visitor } = await context.req.json()
  return context.json({ reserved: await reserve(Number(context.req.param('id')), visitor) })
})
const { url, close } = await listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
const answers = await clients(
  () => postJson(`${url}/seats/14`, { visitor: 'ada' }),
  () => postJson(`${url}/seats/14`, { visitor: 'bob' }),
)
assert.equal(answers.filter(({ body }) => body.reserved).length, 1)
await close()
await pool.end()
console.log('one visitor')
