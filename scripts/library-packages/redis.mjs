// packages: redis
import { createClient } from 'redis'
import { redis } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const client = createClient({ url: `redis://127.0.0.1:${await redis()}` })
client.on('error', () => {})
await client.connect()
const use = async () => {
  await client.set('a', '2') // expect RedisUsedAfterClose
}
setTimeout(use, 5)
setTimeout(() => client.close(), 100)
