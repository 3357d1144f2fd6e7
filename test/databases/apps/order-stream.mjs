/** Orders in a stream, and a group of two who take them. Each is paid from one balance. */
// expects: atomicity at key balance:1
// protection: Lua
import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import { choose, clients, here } from './_parts.mjs'
const redis = new Redis(process.env.REDIS_URL)
await redis.flushdb()
await redis.set('balance:1', '100')
await redis.xgroup('CREATE', 'orders', 'g', '$', 'MKSTREAM')
const pay = choose({
  async wrong(amount) {
    const balance = Number(await redis.get('balance:1')) // bug
    if (balance < amount) return
    await here()
    await redis.set('balance:1', String(balance - amount)) // bug
  },
  right: (amount) =>
    redis.eval(
      "local b = tonumber(redis.call('GET', KEYS[1])); if b >= tonumber(ARGV[1]) then redis.call('SET', KEYS[1], b - ARGV[1]) end return b",
      1,
      'balance:1',
      amount,
    ),
})
let done = 0
const waiting = new Map()
const readers = [new Redis(process.env.REDIS_URL), new Redis(process.env.REDIS_URL)]
const consume = async (reader, name) => {
  while (done < 2) {
    const got = await reader.xreadgroup('GROUP', 'g', name, 'COUNT', 1, 'BLOCK', 500, 'STREAMS', 'orders', '>')
    if (got === null) continue
    const [[, [[id, [, amount]]]]] = got
    await pay(Number(amount))
    await reader.xack('orders', 'g', id)
    done++
    waiting.get(amount)()
  }
}
const consuming = readers.map((reader, n) => consume(reader, `c${n}`))
const put = (amount) => async () => {
  const paid = new Promise((resolve) => waiting.set(amount, resolve))
  await redis.xadd('orders', '*', 'amount', amount)
  await paid
}
await clients(put('30'), put('20'))
await Promise.all(consuming)
assert.equal(await redis.get('balance:1'), '50')
for (const one of [redis, ...readers]) await one.quit()
console.log('both paid')
