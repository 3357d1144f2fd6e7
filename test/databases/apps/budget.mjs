/** Two purchases on one budget, in transactions. PostgreSQL's REPEATABLE READ refuses the second writer. */
// expects: atomicity at budgets[team=3]
// protection: repeatable read
import assert from 'node:assert/strict'
import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS budgets')
await pool.query('CREATE TABLE budgets (team int PRIMARY KEY, spent int NOT NULL)')
await pool.query('INSERT INTO budgets VALUES (3, 100)')

const begin = choose({ wrong: 'BEGIN', right: 'BEGIN ISOLATION LEVEL REPEATABLE READ' })

async function spend(team, amount) {
  const client = await pool.connect()
  try {
    await client.query(begin)
    const { rows } = await client.query('SELECT spent FROM budgets WHERE team = $1', [team]) // bug
    await here()
    await client.query('UPDATE budgets SET spent = $1 WHERE team = $2', [rows[0].spent + amount, team]) // bug
    await client.query('COMMIT')
    return true
  } catch (error) {
    await client.query('ROLLBACK')
    // Somebody else has changed the row.
    if (error.code === '40001') return false
    throw error
  } finally {
    client.release()
  }
}

const app = new Koa()
app.use(bodyParser())
app.use(async (context) => {
  const { team, amount } = context.request.body
  while (!(await spend(team, amount)));
  context.body = { spent: amount }
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/purchases`, { team: 3, amount: 20 }),
  () => postJson(`${url}/purchases`, { team: 3, amount: 50 }),
)
const { rows } = await pool.query('SELECT spent FROM budgets WHERE team = 3')
assert.equal(rows[0].spent, 170)
await close()
await pool.end()
console.log('both spent')
