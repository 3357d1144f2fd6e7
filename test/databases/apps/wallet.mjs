/** Two payments from one wallet. */
// expects: atomicity at wallets[id=4]
// protection: FOR UPDATE
import assert from 'node:assert/strict'
import express from 'express'
import { DataTypes, Sequelize } from 'sequelize'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env
const sequelize = new Sequelize({ dialect: 'postgres', host, port, username, database, logging: false, pool: { max: 4 } })
const Wallet = sequelize.define(
  'wallet',
  { id: { type: DataTypes.INTEGER, primaryKey: true }, cents: DataTypes.INTEGER },
  { timestamps: false },
)
await Wallet.sync({ force: true })
await Wallet.create({ id: 4, cents: 1000 })

const pay = choose({
  async wrong(id, cents) {
    const wallet = await Wallet.findByPk(id) // bug
    wallet.cents -= cents
    await here()
    await wallet.save() // bug
  },
  async right(id, cents) {
    await sequelize.transaction(async (transaction) => {
      const wallet = await Wallet.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE })
      wallet.cents -= cents
      await wallet.save({ transaction })
    })
  },
})

const app = express()
app.use(express.json())
app.post('/wallets/:id/pay', async (request, response) => {
  await pay(Number(request.params.id), request.body.cents)
  response.json({ paid: true })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/wallets/4/pay`, { cents: 300 }),
  () => postJson(`${url}/wallets/4/pay`, { cents: 200 }),
)
const { cents } = await Wallet.findByPk(4)
assert.equal(cents, 500)
await close()
await sequelize.close()
console.log('both paid')
