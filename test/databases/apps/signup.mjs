/** Two accounts with the same address. */
// expects: atomicity at users
// protection: unique constraint
import assert from 'node:assert/strict'
import { serve } from '@hono/node-server'
import { count, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, serial, text } from 'drizzle-orm/pg-core'
import { Hono } from 'hono'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
const db = drizzle(pool)
const users = pgTable('users', { id: serial('id').primaryKey(), email: text('email').notNull() })
await pool.query('DROP TABLE IF EXISTS users')
await pool.query(
  choose({
    wrong: 'CREATE TABLE users (id serial PRIMARY KEY, email text NOT NULL)',
    right: 'CREATE TABLE users (id serial PRIMARY KEY, email text NOT NULL UNIQUE)',
  }),
)

const register = choose({
  async wrong(email) {
    const found = await db.select({ id: users.id }).from(users).where(eq(users.email, email)) // bug
    if (found.length > 0) return false
    await here()
    await db.insert(users).values({ email }) // bug
    return true
  },
  async right(email) {
    const made = await db.insert(users).values({ email }).onConflictDoNothing({ target: users.email }).returning({ id: users.id })
    return made.length === 1
  },
})

const app = new Hono()
app.post('/users', async (context) => {
  const { email } = await context.req.json()
  return context.json({ registered: await register(email) })
})
const { url, close } = await listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
const signUp = () => postJson(`${url}/users`, { email: 'ada@example.org' })
await clients(signUp, signUp)
const [{ n }] = await db.select({ n: count() }).from(users).where(eq(users.email, 'ada@example.org'))
assert.equal(n, 1)
await close()
await pool.end()
console.log('one account')
