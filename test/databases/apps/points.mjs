/** Points for two purchases of one member. */
// expects: atomicity at members[id=5]
// protection: FOR UPDATE
import 'reflect-metadata'
import assert from 'node:assert/strict'
import express from 'express'
import { DataSource, EntitySchema } from 'typeorm'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const Member = new EntitySchema({ name: 'members', columns: { id: { type: Number, primary: true }, points: { type: Number } } })
const source = new DataSource({ type: 'mariadb', url: process.env.MARIADB_URL, entities: [Member], poolSize: 4 })
await source.initialize()
await source.query('DROP TABLE IF EXISTS members')
await source.synchronize()
await source.getRepository(Member).insert({ id: 5, points: 0 })

const add = choose({
  async wrong(id, points) {
    const members = source.getRepository(Member)
    const member = await members.findOneByOrFail({ id }) // bug
    await here()
    await members.update({ id }, { points: member.points + points }) // bug
  },
  async right(id, points) {
    await source.transaction(async (manager) => {
      const members = manager.getRepository(Member)
      const member = await members.findOneOrFail({ where: { id }, lock: { mode: 'pessimistic_write' } })
      await members.update({ id }, { points: member.points + points })
    })
  },
})

const app = express()
app.use(express.json())
app.post('/members/:id/points', async (request, response) => {
  await add(Number(request.params.id), request.body.points)
  response.json({ added: true })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/members/5/points`, { points: 30 }),
  () => postJson(`${url}/members/5/points`, { points: 12 }),
)
const { points } = await source.getRepository(Member).findOneByOrFail({ id: 5 })
assert.equal(points, 42)
await close()
await source.destroy()
console.log('42 points')
