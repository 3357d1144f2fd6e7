/** Two instances that want to lead; one may. By ioredis. */
// expects: atomicity at key leader
// protection: SET NX
import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import { choose, clients, here } from './_parts.mjs'

const setup = new Redis(process.env.REDIS_URL)
await setup.flushdb()

class Instance {
  constructor(name) {
    this.name = name
    this.redis = new Redis(process.env.REDIS_URL)
    this.leads = false
  }
  campaign = choose({
    wrong: async () => {
      const leader = await this.redis.get('leader') // bug
      if (leader !== null) return
      await here()
      await this.redis.set('leader', this.name, 'EX', 30) // bug
      this.leads = true
    },
    right: async () => {
      this.leads = (await this.redis.set('leader', this.name, 'EX', 30, 'NX')) === 'OK'
    },
  })
}

const [a, b] = [new Instance('a'), new Instance('b')]
await clients(a.campaign, b.campaign)
assert.equal([a, b].filter(({ leads }) => leads).length, 1)
for (const redis of [setup, a.redis, b.redis]) await redis.quit()
console.log('one leads')
