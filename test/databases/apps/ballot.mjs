/** One vote each. By mongoose. */
// expects: atomicity at ballots
// protection: atomic statement
import assert from 'node:assert/strict'
import express from 'express'
import mongoose from 'mongoose'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

await mongoose.connect(process.env.MONGO_URL, { autoIndex: false })
const Ballot = mongoose.model('Ballot', new mongoose.Schema({ _id: Number, left: Number }))
await Ballot.deleteMany()
await Ballot.create({ _id: 9, left: 1 })

const vote = choose({
  async wrong(id) {
    const ballot = await Ballot.findById(id) // bug
    if (ballot.left === 0) return false
    await here()
    ballot.left--
    await ballot.save() // bug
    return true
  },
  async right(id) {
    const { modifiedCount } = await Ballot.updateOne({ _id: id, left: { $gt: 0 } }, { $inc: { left: -1 } })
    return modifiedCount === 1
  },
})

const app = express()
app.post('/ballots/:id', async (request, response) => {
  response.json({ counted: await vote(Number(request.params.id)) })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
const ask = async () => (await postJson(`${url}/ballots/9`)).body.counted
const counted = await clients(ask, ask)
assert.equal(counted.filter(Boolean).length, 1)
await close()
await mongoose.disconnect()
console.log('one vote')
