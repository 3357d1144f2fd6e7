/** Two people edit a document with a version number. */
// expects: atomicity at documents[id=3]
// protection: compare-and-set
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import knex from 'knex'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const db = knex({ client: 'pg', connection: { host: process.env.PGHOST }, pool: { min: 0, max: 4 } })
await db.schema.dropTableIfExists('documents')
await db.schema.createTable('documents', (table) => {
  table.integer('id').primary()
  table.text('text')
  table.integer('version')
})
await db('documents').insert({ id: 3, text: '', version: 1 })

const save = choose({
  async wrong(id, text, version) {
    await here()
    return db('documents')
      .where({ id })
      .update({ text, version: version + 1 }) // bug
  },
  async right(id, text, version) {
    return db('documents')
      .where({ id, version })
      .update({ text, version: version + 1 })
  },
})

const app = Fastify()
app.post('/documents/:id', async (request) => {
  const id = Number(request.params.id)
  for (;;) {
    const { text, version } = await db('documents').where({ id }).first('text', 'version') // bug
    if ((await save(id, `${text}${request.body.line}\n`, version)) === 1) return { saved: true } // bug
  }
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { url } = await listening(app.server)
await clients(
  () => postJson(`${url}/documents/3`, { line: 'from ada' }),
  () => postJson(`${url}/documents/3`, { line: 'from bob' }),
)
const { text } = await db('documents').where({ id: 3 }).first('text')
assert.deepEqual(text.split('\n').toSorted(), ['', 'from ada', 'from bob'])
await app.close()
await db.destroy()
console.log('both lines')
