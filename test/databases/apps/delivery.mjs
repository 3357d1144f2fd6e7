/** A webhook that its sender delivers twice, to fastify. By the driver of MariaDB. */
// expects: atomicity at hooks[id=evt_4]
// protection: unique constraint
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import mariadb from 'mariadb'
import { choose, clients, here, postJson } from './_parts.mjs'

const { hostname: host, port, username: user, pathname } = new URL(process.env.MARIADB_URL)
const pool = mariadb.createPool({ host, port: Number(port), user, database: pathname.slice(1), connectionLimit: 4 })
await pool.query('DROP TABLE IF EXISTS hooks')
await pool.query('DROP TABLE IF EXISTS accounts')
await pool.query('CREATE TABLE hooks (id varchar(40) PRIMARY KEY)')
await pool.query('CREATE TABLE accounts (id int PRIMARY KEY, credit int NOT NULL)')
await pool.query('INSERT INTO accounts VALUES (1, 0)')

const handle = choose({
  async wrong({ id, account, credit }) {
    const known = await pool.query('SELECT id FROM hooks WHERE id = ?', [id]) // bug
    if (known.length > 0) return
    await here()
    await pool.query('UPDATE accounts SET credit = credit + ? WHERE id = ?', [credit, account])
    await pool.query('INSERT IGNORE INTO hooks VALUES (?)', [id]) // bug
  },
  async right({ id, account, credit }) {
    const connection = await pool.getConnection()
    try {
      await connection.beginTransaction()
      const { affectedRows } = await connection.query('INSERT IGNORE INTO hooks VALUES (?)', [id])
      if (affectedRows === 1) await connection.query('UPDATE accounts SET credit = credit + ? WHERE id = ?', [credit, account])
      await connection.commit()
    } finally {
      connection.release()
    }
  },
})

const app = Fastify()
app.post('/hooks/credit', async (request) => {
  await handle(request.body)
  return { received: true }
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const deliver = () => postJson(`${url}/hooks/credit`, { id: 'evt_4', account: 1, credit: 30 })
await clients(deliver, deliver)
const [{ credit }] = await pool.query('SELECT credit FROM accounts WHERE id = 1')
assert.equal(credit, 30)
await app.close()
await pool.end()
console.log('credited once')
