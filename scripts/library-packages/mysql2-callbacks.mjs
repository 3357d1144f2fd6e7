// packages: mysql2
import mysql from 'mysql2'
import { mysql as server } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const pool = mysql.createPool({ host: '127.0.0.1', port: await server(), user: 'ann' })
const query = () => new Promise((resolve, reject) => pool.query('select 1', (error) => (error ? reject(error) : resolve())))
await query()
const use = async () => {
  await new Promise((resolve, reject) => pool.query('select 1', (error) => (error ? reject(error) : resolve()))) // expect MysqlPoolUsedAfterEnd
}
setTimeout(use, 5)
setTimeout(() => pool.end(), 100)
