// packages: mysql2
import mysql from 'mysql2/promise'
import { mysql as server } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const pool = mysql.createPool({ host: '127.0.0.1', port: await server(), user: 'ann' })
await pool.query('select 1')
const use = async () => {
  await pool.query('select 1') // expect MysqlPoolUsedAfterEnd
}
setTimeout(use, 5)
setTimeout(() => pool.end(), 100)
