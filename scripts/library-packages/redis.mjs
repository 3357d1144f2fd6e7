// packages: redis
import { readFile } from 'node:fs/promises'
import { createClient } from 'redis'
import { redis } from './_servers.mjs'
// flags: --max-findings 1

const client = createClient({ url: `redis://127.0.0.1:${await redis()}` })
client.on('error', () => {})
await client.connect()
const use = async () => {
  await client.set('a', '2') // expect RedisUsedAfterClose
}
readFile('package.json').then(use)
setTimeout(() => client.close(), 100)
