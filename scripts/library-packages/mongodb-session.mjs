// packages: mongodb
import { BSON, MongoClient } from 'mongodb'
import { mongodb } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const client = new MongoClient(`mongodb://127.0.0.1:${await mongodb(BSON)}/?directConnection=true`)
await client.connect()
const session = client.startSession()
const orders = client.db('shop').collection('orders')
let left = 2
const done = () => --left === 0 && client.close()
const use = async () => {
  await orders.findOne({}, { session }) // expect MongoSessionUsedAfterEnd
}
setTimeout(() => use().finally(done), 5)
setTimeout(() => session.endSession().finally(done), 200)
