/** A promotion with a number of uses. By MikroORM. */
// expects: atomicity at promo[id=3]
// protection: atomic statement
import assert from 'node:assert/strict'
import { EntitySchema, MikroORM } from '@mikro-orm/postgresql'
import express from 'express'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const Promo = new EntitySchema({ name: 'Promo', properties: { id: { type: 'number', primary: true }, uses: { type: 'number' } } })
const { PGHOST: host, PGPORT: port, PGUSER: user, PGDATABASE: dbName } = process.env
const orm = await MikroORM.init({ entities: [Promo], host, port: Number(port), user, dbName, discovery: { warnWhenNoEntities: false } })
await orm.schema.refreshDatabase()
await orm.em.fork().insert(Promo, { id: 3, uses: 1 })

const use = choose({
  async wrong(id) {
    const em = orm.em.fork()
    const promo = await em.findOneOrFail(Promo, id) // bug
    if (promo.uses === 0) return false
    await here()
    promo.uses--
    await em.flush() // bug
    return true
  },
  async right(id) {
    const changed = await orm.em.fork().nativeUpdate(Promo, { id, uses: { $gt: 0 } }, { uses: 0 })
    return changed === 1
  },
})

const app = express()
app.post('/promos/:id', async (request, response) => {
  response.json({ used: await use(Number(request.params.id)) })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
const ask = async () => (await postJson(`${url}/promos/3`)).body.used
const used = await clients(ask, ask)
assert.equal(used.filter(Boolean).length, 1)
await close()
await orm.close(true)
console.log('used once')
