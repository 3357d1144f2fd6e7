// packages: typeorm better-sqlite3
import { DataSource } from 'typeorm'
// flags: --timers latency --max-findings 1

const source = new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: [] })
await source.initialize()
const use = async () => {
  await source.query('select 1') // expect TypeormUsedAfterDestroy
}
setTimeout(use, 5)
setTimeout(() => source.destroy(), 100)
