/** Two buyers of the last ticket, in MariaDB. */
// expects: atomicity at concerts[id=2]
// protection: atomic statement
import assert from 'node:assert/strict'
import express from 'express'
import mysql from 'mysql2/promise'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = mysql.createPool({ uri: process.env.MARIADB_URL, connectionLimit: 4 })
await pool.query('DROP TABLE IF EXISTS concerts')
await pool.query('CREATE TABLE concerts (id int PRIMARY KEY, tickets int NOT NULL)')
await pool.query('INSERT INTO concerts VALUES (1, 100), (2, 1)')

const buy = choose({
  async wrong(id) {
    const [[{ tickets }]] = await pool.execute('SELECT tickets FROM concerts WHERE id = ?', [id]) // bug
    if (tickets === 0) return false
    await here()
    await pool.execute('UPDATE concerts SET tickets = ? WHERE id = ?', [tickets - 1, id]) // bug
    return true
  },
  async right(id) {
    const [{ affectedRows }] = await pool.execute('UPDATE concerts SET tickets = tickets - 1 WHERE id = ? AND tickets > 0', [id])
    return affectedRows === 1
  },
})

const app = express()
app.post('/concerts/:id/buy', async (request, response) => {
  response.json({ bought: await buy(Number(request.params.id)) })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
const answers = await clients(
  () => postJson(`${url}/concerts/2/buy`),
  () => postJson(`${url}/concerts/2/buy`),
)
assert.equal(answers.filter(({ body }) => body.bought).length, 1)
await close()
await pool.end()
console.log('one ticket')
