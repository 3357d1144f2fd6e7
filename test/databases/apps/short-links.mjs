/** A name for a link, given to who asks first. */
// expects: atomicity at links
// protection: unique constraint
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import Database from 'better-sqlite3'
import { Hono } from 'hono'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const db = new Database(':memory:')
db.exec(choose({ wrong: 'CREATE TABLE links (name text, target text)', right: 'CREATE TABLE links (name text PRIMARY KEY, target text)' }))

/** Does the target answer? */
const reachable = async (target) => (await fetch(target)).ok

const name = choose({
  async wrong(link, target) {
    if (db.prepare('SELECT 1 FROM links WHERE name = ?').get(link)) return false // bug
    if (!(await reachable(target))) return false
    await here()
    db.prepare('INSERT INTO links VALUES (?, ?)').run(link, target) // bug
    return true
  },
  async right(link, target) {
    if (!(await reachable(target))) return false
    return db.prepare('INSERT INTO links VALUES (?, ?) ON CONFLICT DO NOTHING').run(link, target).changes === 1
  },
})

const pages = await listening(createServer((_, response) => response.end('a page')).listen(0, '127.0.0.1'))
const app = new Hono()
app.post('/links/:name', async (context) => {
  const { target } = await context.req.json()
  return context.json({ named: await name(context.req.param('name'), target) })
})
const { url, close } = await listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
const answers = await clients(
  () => postJson(`${url}/links/home`, { target: `${pages.url}/ada` }),
  () => postJson(`${url}/links/home`, { target: `${pages.url}/bob` }),
)
assert.equal(answers.filter(({ body }) => body.named).length, 1)
await close()
await pages.close()
db.close()
console.log('one target')
