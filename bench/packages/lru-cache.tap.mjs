import { LRUCache } from 'lru-cache'
import t from 'tap'

t.test('the oldest goes first', async (t) => {
  const cache = new LRUCache({ max: 2 })
  cache.set('a', 1).set('b', 2).get('a')
  cache.set('c', 3)
  t.strictSame([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3])
})
t.test('fetch calls once for those who come at once', async (t) => {
  let calls = 0
  const cache = new LRUCache({
    max: 5,
    fetchMethod: async (key) => {
      calls++
      await new Promise((resolve) => setTimeout(resolve, 10))
      return key.toUpperCase()
    },
  })
  t.strictSame(await Promise.all([cache.fetch('a'), cache.fetch('a'), cache.fetch('b')]), ['A', 'A', 'B'])
  t.equal(calls, 2)
})
t.test('time to live', async (t) => {
  const cache = new LRUCache({ max: 5, ttl: 20 })
  cache.set('a', 1)
  t.equal(cache.get('a'), 1)
  await new Promise((resolve) => setTimeout(resolve, 40))
  t.equal(cache.get('a'), undefined)
})
