/** Two travellers reserve the same cabin, over one session of secure HTTP/2. */
// expects: atomicity at key cabin:4
// protection: SET NX
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import { Redis } from 'ioredis'
import { choose, clients, here } from './_parts.mjs'

// No certificate is needed for ciphers without one.
const secure = { ciphers: 'ADH-AES256-GCM-SHA384:@SECLEVEL=0', maxVersion: 'TLSv1.2', dhparam: 'auto' }
const redis = new Redis(process.env.REDIS_URL)
await redis.flushdb()

const reserve = choose({
  async wrong(cabin, traveller) {
    if ((await redis.get(`cabin:${cabin}`)) !== null) return false // bug
    await here()
    await redis.set(`cabin:${cabin}`, traveller) // bug
    return true
  },
  async right(cabin, traveller) {
    return (await redis.set(`cabin:${cabin}`, traveller, 'NX')) === 'OK'
  },
})

const server = http2.createSecureServer(secure)
server.on('stream', async (stream, headers) => {
  const [, , cabin, traveller] = headers[':path'].split('/')
  const reserved = await reserve(Number(cabin), traveller)
  stream.respond({ ':status': reserved ? 200 : 409 })
  stream.end()
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const session = http2.connect(`https://localhost:${server.address().port}`, { ...secure, rejectUnauthorized: false })
const ask = (traveller) => async () => {
  const stream = session.request({ ':method': 'POST', ':path': `/cabins/4/${traveller}` })
  const [headers] = await once(stream.end(), 'response')
  stream.resume()
  await once(stream, 'end')
  return headers[':status']
}
const statuses = await clients(ask('ada'), ask('bob'))
assert.deepEqual(statuses.toSorted(), [200, 409])
session.close()
server.close()
await redis.quit()
console.log('one traveller')
