// packages: pg
import pg from 'pg'
import { postgres } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const pool = new pg.Pool({ host: '127.0.0.1', port: await postgres(), user: 'ann', database: 'shop' })
await pool.query('select 1')
const use = async () => {
  await pool.query('select 2') // expect PoolUsedAfterEnd
}
setTimeout(use, 5)
setTimeout(() => pool.end(), 100)
