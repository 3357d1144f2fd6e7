/** Jobs that write invoices, by pg-boss. The same order was put into the queue twice. */
// expects: atomicity at invoices
// protection: unique constraint
import assert from 'node:assert/strict'
import pg from 'pg'
import PgBoss from 'pg-boss'
import { choose, clients, here } from './_parts.mjs'

const { PGHOST: host, PGPORT: port, PGUSER: user, PGDATABASE: database } = process.env
const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS invoices')
await pool.query('CREATE TABLE invoices (purchase int PRIMARY KEY)')

const written = []
const waiting = new Map()
const write = choose({
  async wrong(purchase) {
    const { rowCount } = await pool.query('SELECT purchase FROM invoices WHERE purchase = $1', [purchase]) // bug
    if (rowCount > 0) return
    await here()
    written.push(purchase)
    await pool.query('INSERT INTO invoices VALUES ($1) ON CONFLICT (purchase) DO UPDATE SET purchase = excluded.purchase', [purchase]) // bug
  },
  async right(purchase) {
    const { rowCount } = await pool.query('INSERT INTO invoices VALUES ($1) ON CONFLICT DO NOTHING', [purchase])
    if (rowCount > 0) written.push(purchase)
  },
})

const boss = new PgBoss({ host, port: Number(port), user, database, supervise: false, schedule: false })
await boss.start()
await boss.createQueue('invoices')
for (let worker = 0; worker < 2; worker++)
  await boss.work('invoices', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    await write(job.data.purchase)
    waiting.get(job.data.nth)()
  })
const put = (nth) => async () => {
  const done = new Promise((resolve) => waiting.set(nth, resolve))
  await boss.send('invoices', { purchase: 7, nth })
  await done
}
await clients(put('first'), put('second'))
assert.deepEqual(written, [7])
await boss.stop({ graceful: true, wait: true })
await pool.end()
console.log('one invoice')
