// packages: sequelize mysql2
import { Sequelize } from 'sequelize'
import { mysql } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const db = new Sequelize('shop', 'ann', '', {
  dialect: 'mysql',
  host: '127.0.0.1',
  port: await mysql(),
  logging: false,
  databaseVersion: '8.0.0',
})
await db.query('select 1')
const use = async () => {
  await db.query('select 2') // expect SequelizeUsedAfterClose
}
setTimeout(use, 5)
setTimeout(() => db.close(), 100)
