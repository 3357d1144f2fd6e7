// packages: ioredis
import { Redis } from 'ioredis'
import { redis } from './_servers.mjs'
// flags: --timers latency --max-findings 1

const client = new Redis({ host: '127.0.0.1', port: await redis() })
client.on('error', () => {})
await client.set('a', '1')
const use = async () => {
  await client.set('a', '2') // expect RedisUsedAfterQuit
}
setTimeout(use, 5)
setTimeout(() => client.quit(), 100)
