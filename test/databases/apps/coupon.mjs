/** A coupon that each customer may use once, and a customer who clicks twice. */
// expects: atomicity at redemptions
// pattern: double submit
// protection: unique constraint
import assert from 'node:assert/strict'
import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS redemptions')
await pool.query(
  choose({
    wrong: 'CREATE TABLE redemptions (coupon text, customer int)',
    right: 'CREATE TABLE redemptions (coupon text, customer int, UNIQUE (coupon, customer))',
  }),
)

const redeem = choose({
  async wrong(coupon, customer) {
    const found = await pool.query('SELECT 1 FROM redemptions WHERE coupon = $1 AND customer = $2', [coupon, customer]) // bug
    if (found.rowCount > 0) return false
    await here()
    await pool.query('INSERT INTO redemptions (coupon, customer) VALUES ($1, $2)', [coupon, customer]) // bug
    return true
  },
  async right(coupon, customer) {
    const { rowCount } = await pool.query(
      'INSERT INTO redemptions (coupon, customer) VALUES ($1, $2) ON CONFLICT (coupon, customer) DO NOTHING',
      [coupon, customer],
    )
    return rowCount === 1
  },
})

const app = new Koa()
app.use(bodyParser())
app.use(async (context) => {
  const { coupon, customer } = context.request.body
  context.body = { redeemed: await redeem(coupon, customer) }
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
const answers = await clients(
  () => postJson(`${url}/redeem`, { coupon: 'SPRING', customer: 12 }),
  () => postJson(`${url}/redeem`, { coupon: 'SPRING', customer: 12 }),
)
assert.equal(answers.filter(({ body }) => body.redeemed).length, 1)
await close()
await pool.end()
console.log('redeemed once')
