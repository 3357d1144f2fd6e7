/** Jobs that send reminders, by graphile-worker. The same reminder was put into the queue twice. */
// expects: atomicity at reminders
// protection: unique constraint
import assert from 'node:assert/strict'
import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import pg from 'pg'
import { choose, clients, here } from './_parts.mjs'

const pool = new pg.Pool({ max: 6 })
await pool.query('DROP TABLE IF EXISTS reminders')
await pool.query('CREATE TABLE reminders (visit int PRIMARY KEY)')

const sent = []
const waiting = new Map()
const remind = choose({
  async wrong(visit) {
    const { rowCount } = await pool.query('SELECT visit FROM reminders WHERE visit = $1', [visit]) // bug
    if (rowCount > 0) return
    await here()
    sent.push(visit)
    await pool.query('INSERT INTO reminders VALUES ($1) ON CONFLICT (visit) DO UPDATE SET visit = excluded.visit', [visit]) // bug
  },
  async right(visit) {
    const { rowCount } = await pool.query('INSERT INTO reminders VALUES ($1) ON CONFLICT DO NOTHING', [visit])
    if (rowCount > 0) sent.push(visit)
  },
})

const logger = new Logger(() => () => {})
const utils = await makeWorkerUtils({ pgPool: pool, logger })
await utils.migrate()
const taskList = {
  async remind({ visit, nth }) {
    await remind(visit)
    waiting.get(nth)()
  },
}
const runner = await run({ pgPool: pool, taskList, concurrency: 2, noHandleSignals: true, pollInterval: 200, logger })
const put = (nth) => async () => {
  const done = new Promise((resolve) => waiting.set(nth, resolve))
  await utils.addJob('remind', { visit: 9, nth })
  await done
}
await clients(put('first'), put('second'))
assert.deepEqual(sent, [9])
await runner.stop()
await utils.release()
await pool.end()
console.log('one reminder')
