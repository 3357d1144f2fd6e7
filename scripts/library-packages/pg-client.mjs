// packages: pg
import pg from 'pg'
import { postgres } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const client = new pg.Client({ host: '127.0.0.1', port: await postgres(), user: 'ann', database: 'shop' })
await client.connect()
const use = async () => {
  await client.query('select 2') // expect ClientUsedAfterEnd
}
setTimeout(use, 5)
setTimeout(() => client.end(), 100)
