/** A list as a queue: two workers wait with BRPOP, and the same mail was put into it twice. */
// expects: atomicity at key sent:3
// protection: SET NX
import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import { choose, clients, here } from './_parts.mjs'
const redis = new Redis(process.env.REDIS_URL)
await redis.flushdb()
const mails = []
const send = choose({
  async wrong(mail) {
    if ((await redis.get(`sent:${mail}`)) !== null) return // bug
    mails.push(mail)
    await here()
    await redis.set(`sent:${mail}`, 'yes') // bug
  },
  async right(mail) {
    if ((await redis.set(`sent:${mail}`, 'yes', 'NX')) === 'OK') mails.push(mail)
  },
})
let done = 0
const waiting = new Map()
const takers = [new Redis(process.env.REDIS_URL), new Redis(process.env.REDIS_URL)]
const worker = async (taker) => {
  while (done < 2) {
    const taken = await taker.brpop('mails', 1)
    if (taken === null) continue
    const [mail, nth] = taken[1].split(' ')
    await send(mail)
    done++
    waiting.get(nth)()
  }
}
const working = takers.map(worker)
const put = (nth) => async () => {
  const handled = new Promise((resolve) => waiting.set(nth, resolve))
  await redis.lpush('mails', `3 ${nth}`)
  await handled
}
await clients(put('1'), put('2'))
await Promise.all(working)
assert.deepEqual(mails, ['3'])
for (const one of [redis, ...takers]) await one.quit()
console.log('one mail')
