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
const transaction = await db.transaction()
let over = false
const commit = async () => {
  if (over) return
  await new Promise((resolve) => setTimeout(resolve, 5))
  over = true
  await transaction.commit() // expect TransactionUsedAfterEnd
}
setTimeout(commit, 5)
setTimeout(() => over || transaction.rollback(), 150)
setTimeout(() => db.close(), 400)
