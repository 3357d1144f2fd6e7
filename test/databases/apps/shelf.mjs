/** Goods on a shelf, by drizzle and SQLite. The price comes from a file. */
// expects: atomicity at goods[id=3]
// protection: atomic statement
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import Database from 'better-sqlite3'
import { and, eq, gt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { choose, clients, here, postJson } from './_parts.mjs'

await writeFile('prices.json', '{"3": 20}')
const file = new Database(':memory:')
file.exec('CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL)')
const goods = sqliteTable('goods', { id: integer().primaryKey(), name: text(), count: integer() })
const db = drizzle(file)
db.insert(goods).values({ id: 3, name: 'lamp', count: 1 }).run()
const priceOf = async (id) => JSON.parse(await readFile('prices.json', 'utf8'))[id]

const take = choose({
  async wrong(id) {
    const [{ count }] = db.select().from(goods).where(eq(goods.id, id)).all() // bug
    if (count === 0) return undefined
    const price = await priceOf(id)
    await here()
    db.update(goods)
      .set({ count: count - 1 })
      .where(eq(goods.id, id))
      .run() // bug
    return price
  },
  async right(id) {
    const price = await priceOf(id)
    const { changes } = db
      .update(goods)
      .set({ count: sql`${goods.count} - 1` })
      .where(and(eq(goods.id, id), gt(goods.count, 0)))
      .run()
    return changes === 1 ? price : undefined
  },
})

const app = Fastify()
app.post('/goods/:id/take', async (request, reply) => {
  const price = await take(Number(request.params.id))
  return price === undefined ? reply.code(409).send({}) : { price }
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const ask = async () => (await postJson(`${url}/goods/3/take`)).status
const statuses = await clients(ask, ask)
assert.deepEqual(statuses.toSorted(), [200, 409])
await app.close()
console.log('taken once')
