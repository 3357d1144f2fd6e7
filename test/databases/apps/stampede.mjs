/** A report that is expensive to make, kept in Redis. */
// expects: atomicity at key report:q3
// pattern: stampede
// protection: SET NX
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Redis } from 'ioredis'
import pg from 'pg'
import { choose, clients, getJson, here, listening } from './_parts.mjs'

const redis = new Redis(process.env.REDIS_URL)
const pool = new pg.Pool({ max: 4 })
await redis.del('report:q3', 'lock:report:q3')
await pool.query('DROP TABLE IF EXISTS sales')
await pool.query('CREATE TABLE sales AS SELECT i AS id, i % 90 AS cents FROM generate_series(1, 2000) i')

let made = 0
async function make() {
  made++
  const { rows } = await pool.query('SELECT sum(cents)::int AS cents FROM sales')
  return JSON.stringify(rows[0])
}

const report = choose({
  async wrong() {
    const kept = await redis.get('report:q3') // bug
    if (kept !== null) return kept
    const fresh = await make()
    await here()
    await redis.set('report:q3', fresh, 'EX', 60) // bug
    return fresh
  },
  async right() {
    for (;;) {
      const kept = await redis.get('report:q3')
      if (kept !== null) return kept
      if ((await redis.set('lock:report:q3', 'taken', 'EX', 60, 'NX')) === 'OK') {
        const before = await redis.get('report:q3')
        const fresh = before ?? (await make())
        await redis.set('report:q3', fresh, 'EX', 60)
        await redis.del('lock:report:q3')
        return fresh
      }
      await sleep(20)
    }
  },
})

const app = new Hono()
app.get('/reports/q3', async (context) => context.json(JSON.parse(await report())))
const { url, close } = await listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
await clients(
  () => getJson(`${url}/reports/q3`),
  () => getJson(`${url}/reports/q3`),
)
assert.equal(made, 1)
await close()
await redis.quit()
await pool.end()
console.log('made once')
