// packages: mongodb
import { BSON, MongoClient } from 'mongodb'
import { mongodb } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const client = new MongoClient(`mongodb://127.0.0.1:${await mongodb(BSON)}/?directConnection=true`)
await client.connect()
const orders = client.db('shop').collection('orders')
const use = async () => {
  await orders.insertOne({ item: 1 }) // expect MongoUsedAfterClose
}
setTimeout(use, 5)
setTimeout(() => client.close(), 200)
