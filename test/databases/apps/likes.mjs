/** Two likes for one post. */
// expects: atomicity at posts[id=6]
// protection: atomic statement
import 'reflect-metadata'
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import { DataSource, EntitySchema } from 'typeorm'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const Post = new EntitySchema({ name: 'posts', columns: { id: { type: Number, primary: true }, likes: { type: Number } } })
const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env
const source = new DataSource({ type: 'postgres', host, port: Number(port), username, database, entities: [Post], poolSize: 4 })
await source.initialize()
await source.synchronize(true)
const posts = source.getRepository(Post)
await posts.insert({ id: 6, likes: 10 })

const like = choose({
  async wrong(id) {
    const { likes } = await posts.findOneByOrFail({ id }) // bug
    await here()
    await posts.update({ id }, { likes: likes + 1 }) // bug
  },
  async right(id) {
    await posts.increment({ id }, 'likes', 1)
  },
})

const app = Fastify()
app.post('/posts/:id/like', async (request) => {
  await like(Number(request.params.id))
  return { liked: true }
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { url } = await listening(app.server)
await clients(
  () => postJson(`${url}/posts/6/like`),
  () => postJson(`${url}/posts/6/like`),
)
const { likes } = await posts.findOneByOrFail({ id: 6 })
assert.equal(likes, 12)
await app.close()
await source.destroy()
console.log('both likes')
