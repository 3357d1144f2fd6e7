/** A stream with a group of two consumers. The same order was added twice. */
// expects: atomicity at key done:7
// protection: SET NX
import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import { choose, clients, here } from './_parts.mjs'

const redis = new Redis(process.env.REDIS_URL)
await redis.flushdb()
await redis.xgroup('CREATE', 'orders', 'intake', '$', 'MKSTREAM')

const packed = []
const pack = choose({
  async wrong(order) {
    if ((await redis.get(`done:${order}`)) !== null) return // bug
    packed.push(order)
    await here()
    await redis.set(`done:${order}`, 'yes') // bug
  },
  async right(order) {
    if ((await redis.set(`done:${order}`, 'yes', 'NX')) === 'OK') packed.push(order)
  },
})

const waiting = new Map()
const readers = [new Redis(process.env.REDIS_URL), new Redis(process.env.REDIS_URL)]
async function consume(reader, name) {
  for (;;) {
    const found = await reader.xreadgroup('GROUP', 'intake', name, 'COUNT', 1, 'BLOCK', 0, 'STREAMS', 'orders', '>')
    const [id, [, order, , nth]] = found[0][1][0]
    if (order !== 'stop') await pack(order)
    await reader.xack('orders', 'intake', id)
    if (order === 'stop') return
    waiting.get(nth)()
  }
}
const working = readers.map((reader, n) => consume(reader, `consumer ${n}`))
const put = (nth) => async () => {
  const handled = new Promise((resolve) => waiting.set(nth, resolve))
  await redis.xadd('orders', '*', 'order', '7', 'nth', nth)
  await handled
}
await clients(put('1'), put('2'))
for (const _ of readers) await redis.xadd('orders', '*', 'order', 'stop', 'nth', '0')
await Promise.all(working)
assert.deepEqual(packed, ['7'])
for (const one of [redis, ...readers]) await one.quit()
console.log('packed once')
