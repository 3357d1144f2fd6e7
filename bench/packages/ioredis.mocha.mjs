/** Needs REDIS. */
import assert from 'node:assert/strict'
import { Redis } from 'ioredis'

describe('ioredis', () => {
  let redis
  beforeEach(async () => {
    redis = new Redis(process.env.REDIS_URL, { db: 3 })
    await redis.flushdb()
  })
  afterEach(() => redis.quit())
  it('sets and gets', async () => {
    await redis.mset({ a: '1', b: '2' })
    assert.deepEqual(await redis.mget('a', 'b', 'c'), ['1', '2', null])
  })
  it('pipelines', async () => {
    const results = await redis.pipeline().set('n', 1).incr('n').incr('n').exec()
    assert.deepEqual(
      results.map(([, value]) => value),
      ['OK', 2, 3],
    )
  })
  it('transactions', async () => {
    const results = await redis.multi().rpush('l', 'x', 'y').lrange('l', 0, -1).exec()
    assert.deepEqual(results[1][1], ['x', 'y'])
  })
  it('subscribes', async () => {
    const other = redis.duplicate()
    await other.subscribe('news')
    const heard = new Promise((resolve) => other.on('message', (channel, text) => resolve(`${channel} ${text}`)))
    await redis.publish('news', 'hello')
    assert.equal(await heard, 'news hello')
    await other.quit()
  })
  it('scans', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, i) => redis.set(`key${i}`, i)))
    let count = 0
    for await (const keys of redis.scanStream({ match: 'key*' })) count += keys.length
    assert.equal(count, 30)
  })
})
