/** A voucher that may be redeemed once. By typeorm. */
// expects: atomicity at voucher[id=5]
// protection: atomic statement
import assert from 'node:assert/strict'
import express from 'express'
import 'reflect-metadata'
import { DataSource, EntitySchema } from 'typeorm'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const Voucher = new EntitySchema({
  name: 'voucher',
  columns: { id: { type: 'int', primary: true }, code: { type: 'text' }, usesLeft: { type: 'int' } },
})
const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env
const source = new DataSource({
  type: 'postgres',
  host,
  port: Number(port),
  username,
  database,
  entities: [Voucher],
  synchronize: true,
  dropSchema: true,
})
await source.initialize()
const vouchers = source.getRepository(Voucher)
await vouchers.insert({ id: 5, code: 'SPRING', usesLeft: 1 })

const redeem = choose({
  async wrong(id) {
    const voucher = await vouchers.findOneBy({ id }) // bug
    if (voucher === null || voucher.usesLeft === 0) return false
    await here()
    voucher.usesLeft--
    await vouchers.save(voucher) // bug
    return true
  },
  async right(id) {
    const { affected } = await vouchers
      .createQueryBuilder()
      .update()
      .set({ usesLeft: () => '"usesLeft" - 1' })
      .where('id = :id AND "usesLeft" > 0', { id })
      .execute()
    return affected === 1
  },
})

const app = express()
app.post('/vouchers/:id/redeem', async (request, response) => {
  response.json({ redeemed: await redeem(Number(request.params.id)) })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
const ask = async () => (await postJson(`${url}/vouchers/5/redeem`)).body.redeemed
const redeemed = await clients(ask, ask)
assert.equal(redeemed.filter(Boolean).length, 1)
await close()
await source.destroy()
console.log('redeemed once')
