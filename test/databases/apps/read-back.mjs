/** A comment is stored while the page is made ready, and then all comments are shown. Nobody waits until it is stored. */
// expects: order-violation at comments
// pattern: read-your-writes
// protection: awaited
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import pg from 'pg'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const pool = new pg.Pool({ max: 4 })
await pool.query('DROP TABLE IF EXISTS comments')
await pool.query('CREATE TABLE comments (id serial PRIMARY KEY, post int NOT NULL, words text NOT NULL)')

const store = async (post, words) => {
  await here()
  await pool.query('INSERT INTO comments (post, words) VALUES ($1, $2)', [post, words]) // bug
}
const all = async (post) => (await pool.query('SELECT words FROM comments WHERE post = $1', [post])).rows // bug

const comment = choose({
  async wrong(post, words) {
    const stored = store(post, words)
    await sleep(200)
    const shown = await all(post)
    await stored
    return shown
  },
  async right(post, words) {
    await store(post, words)
    return all(post)
  },
})

const app = Fastify()
app.post('/posts/:id/comments', async (request) => comment(Number(request.params.id), request.body.words))
await app.listen({ port: 0, host: '127.0.0.1' })
const { url } = await listening(app.server)
const add = (post, words) => async () => (await postJson(`${url}/posts/${post}/comments`, { words })).body.map((row) => row.words)
assert.deepEqual(await clients(add(1, 'first'), add(2, 'second')), [['first'], ['second']])
await app.close()
await pool.end()
console.log('both see their comment')
