/** A pass that may be used once. By kysely. */
// expects: atomicity at pass[id=5]
// protection: atomic statement
import assert from 'node:assert/strict'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { choose, clients, here } from './_parts.mjs'
const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ max: 4 }) }) })
await db.schema.dropTable('pass').ifExists().execute()
await db.schema
  .createTable('pass')
  .addColumn('id', 'integer', (c) => c.primaryKey())
  .addColumn('uses', 'integer')
  .execute()
await db.insertInto('pass').values({ id: 5, uses: 1 }).execute()
const redeem = choose({
  async wrong(id) {
    const row = await db.selectFrom('pass').selectAll().where('id', '=', id).executeTakeFirst() // bug
    if (row.uses === 0) return false
    await here()
    await db
      .updateTable('pass')
      .set({ uses: row.uses - 1 })
      .where('id', '=', id)
      .execute() // bug
    return true
  },
  async right(id) {
    const { numUpdatedRows } = await db
      .updateTable('pass')
      .set((eb) => ({ uses: eb('uses', '-', 1) }))
      .where('id', '=', id)
      .where('uses', '>', 0)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
})
const got = await clients(
  () => redeem(5),
  () => redeem(5),
)
assert.deepEqual(got.toSorted(), [false, true])
await db.destroy()
console.log('once')
