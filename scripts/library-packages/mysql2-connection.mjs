// packages: mysql2
import mysql from 'mysql2/promise'
import { mysql as server } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const connection = await mysql.createConnection({ host: '127.0.0.1', port: await server(), user: 'ann' })
const use = async () => {
  await connection.query('select 1') // expect MysqlConnectionUsedAfterEnd
}
setTimeout(use, 5)
setTimeout(() => connection.end(), 100)
