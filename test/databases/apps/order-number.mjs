/** Orders are numbered one after the other. */
// expects: atomicity at orders
// protection: advisory lock
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import knex from 'knex'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const db = knex({ client: 'mysql2', connection: process.env.MARIADB_URL, pool: { min: 0, max: 4 } })
await db.schema.dropTableIfExists('orders')
await db.schema.createTable('orders', (table) => {
  table.increments('id')
  table.integer('number')
})
await db('orders').insert({ number: 1000 })

async function place(connection) {
  const [{ last }] = await connection('orders').max({ last: 'number' }) // bug
  await here()
  await connection('orders').insert({ number: last + 1 }) // bug
  return last + 1
}

const order = choose({
  wrong: () => place(db),
  right: () =>
    db.transaction(async (transaction) => {
      await transaction.raw("SELECT GET_LOCK('orders', 10)")
      try {
        return await place(transaction)
      } finally {
        // Others must see the number before they get the lock.
        await transaction.raw('COMMIT')
        await transaction.raw("SELECT RELEASE_LOCK('orders')")
      }
    }),
})

const app = Fastify()
app.post('/orders', async () => ({ number: await order() }))
await app.listen({ port: 0, host: '127.0.0.1' })
const { url } = await listening(app.server)
const answers = await clients(
  () => postJson(`${url}/orders`),
  () => postJson(`${url}/orders`),
)
assert.deepEqual(answers.map(({ body }) => body.number).toSorted(), [1001, 1002])
await app.close()
await db.destroy()
console.log('two numbers')
