/** The last ticket of a raffle, in MongoDB. */
// expects: atomicity at raffles
// protection: atomic statement
import assert from 'node:assert/strict'
import express from 'express'
import { MongoClient } from 'mongodb'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const client = await new MongoClient(process.env.MONGO_URL, { maxPoolSize: 4 }).connect()
const raffles = client.db().collection('raffles')
await raffles.deleteMany({})
await raffles.insertOne({ _id: 5, tickets: 1 })

const draw = choose({
  async wrong(id) {
    const { tickets } = await raffles.findOne({ _id: id }) // bug
    if (tickets === 0) return false
    await here()
    await raffles.updateOne({ _id: id }, { $set: { tickets: tickets - 1 } }) // bug
    return true
  },
  async right(id) {
    const { modifiedCount } = await raffles.updateOne({ _id: id, tickets: { $gt: 0 } }, { $inc: { tickets: -1 } })
    return modifiedCount === 1
  },
})

const app = express()
app.post('/raffles/:id', async (request, response) => {
  response.json({ drawn: await draw(Number(request.params.id)) })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
const ask = async () => (await postJson(`${url}/raffles/5`)).body.drawn
const drawn = await clients(ask, ask)
assert.equal(drawn.filter(Boolean).length, 1)
await close()
await client.close()
console.log('one ticket')
