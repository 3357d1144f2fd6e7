/** Two guests book one room for one day. */
// expects: atomicity at bookings
// protection: unique constraint
import assert from 'node:assert/strict'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import mysql from 'mysql2/promise'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = mysql.createPool({ uri: process.env.MARIADB_URL, connectionLimit: 4 })
await pool.query('DROP TABLE IF EXISTS bookings')
await pool.query(
  choose({
    wrong: 'CREATE TABLE bookings (room int, day date, guest varchar(40))',
    right: 'CREATE TABLE bookings (room int, day date, guest varchar(40), UNIQUE (room, day))',
  }),
)

const book = choose({
  async wrong(room, day, guest) {
    const [rows] = await pool.query('SELECT guest FROM bookings WHERE room = ? AND day = ?', [room, day]) // bug
    if (rows.length > 0) return false
    await here()
    await pool.query('INSERT INTO bookings (room, day, guest) VALUES (?, ?, ?)', [room, day, guest]) // bug
    return true
  },
  async right(room, day, guest) {
    const [{ affectedRows }] = await pool.query('INSERT IGNORE INTO bookings (room, day, guest) VALUES (?, ?, ?)', [room, day, guest])
    return affectedRows === 1
  },
})

const app = new Hono()
app.post('/rooms/:room', async (context) => {
  const { day, guest } = await context.req.json()
  return context.json({ booked: await book(Number(context.req.param('room')), day, guest) })
})
const { url, close } = await listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
const answers = await clients(
  () => postJson(`${url}/rooms/11`, { day: '2026-12-24', guest: 'ada' }),
  () => postJson(`${url}/rooms/11`, { day: '2026-12-24', guest: 'bob' }),
)
assert.equal(answers.filter(({ body }) => body.booked).length, 1)
await close()
await pool.end()
console.log('one guest')
