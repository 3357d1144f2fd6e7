/** Seats of a show, by knex and MariaDB: who books a free seat has it. */
// expects: atomicity at seats[number=14,show_id=2]
// protection: FOR UPDATE
import assert from 'node:assert/strict'
import Koa from 'koa'
import { bodyParser } from '@koa/bodyparser'
import knexFor from 'knex'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const knex = knexFor({ client: 'mysql2', connection: process.env.MARIADB_URL, pool: { min: 0, max: 4 } })
await knex.schema.dropTableIfExists('seats')
await knex.schema.createTable('seats', (table) => {
  table.integer('show_id')
  table.integer('number')
  table.string('guest')
  table.primary(['show_id', 'number'])
})
await knex('seats').insert([
  { show_id: 2, number: 14 },
  { show_id: 2, number: 15 },
])

const book = choose({
  async wrong(show, number, guest) {
    const seat = await knex('seats').where({ show_id: show, number }).first() // bug
    if (seat.guest !== null) return 409
    await here()
    await knex('seats').where({ show_id: show, number }).update({ guest }) // bug
    return 201
  },
  right: (show, number, guest) =>
    knex.transaction(async (trx) => {
      const seat = await trx('seats').where({ show_id: show, number }).forUpdate().first()
      if (seat.guest !== null) return 409
      await trx('seats').where({ show_id: show, number }).update({ guest })
      return 201
    }),
})

const app = new Koa()
app.use(bodyParser())
app.use(async (ctx) => {
  const [, show, number] = /^\/shows\/(\d+)\/seats\/(\d+)$/.exec(ctx.path)
  ctx.status = await book(Number(show), Number(number), ctx.request.body.guest)
  ctx.body = {}
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
const ask = (guest) => async () => (await postJson(`${url}/shows/2/seats/14`, { guest })).status
const statuses = await clients(ask('ada'), ask('grace'))
assert.deepEqual(statuses.toSorted(), [201, 409])
await close()
await knex.destroy()
console.log('one guest in the seat')
