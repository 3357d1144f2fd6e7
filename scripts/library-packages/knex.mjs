// packages: knex better-sqlite3
import knex from 'knex'
// flags: --timers latency --max-findings 1

const db = knex({ client: 'better-sqlite3', connection: { filename: ':memory:' }, useNullAsDefault: true })
await db.raw('select 1')
const use = async () => {
  await db.raw('select 2') // refused
}
setTimeout(use, 5)
setTimeout(() => db.destroy(), 100) // expect KnexUsedAfterDestroy
