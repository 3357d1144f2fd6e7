// packages: pg
import pg from 'pg'
import { postgres } from './_servers.mjs'
// flags: --timers latency --max-findings 1

// Who works and the time-out both give the client back, unless it is back already: which is said too late.
const pool = new pg.Pool({ host: '127.0.0.1', port: await postgres(), user: 'ann', database: 'shop' })
const client = await pool.connect()
let back = false
const giveBack = async () => {
  if (back) return
  // right: back = true
  await new Promise((resolve) => setTimeout(resolve, 5))
  client.release() // expect ClientReleasedTwice
  back = true
}
setTimeout(giveBack, 5)
setTimeout(giveBack, 100)
setTimeout(() => pool.end(), 300)
