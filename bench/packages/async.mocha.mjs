import assert from 'node:assert/strict'
import async from 'async'

const later = (ms, value) => (done) => setTimeout(() => done(null, value), ms)

describe('async', () => {
  it('parallel keeps the order of results', async () => {
    assert.deepEqual(await async.parallel([later(15, 'a'), later(5, 'b'), later(10, 'c')]), ['a', 'b', 'c'])
  })
  it('parallelLimit and series', async () => {
    assert.deepEqual(await async.parallelLimit([later(3, 1), later(2, 2), later(1, 3)], 2), [1, 2, 3])
    assert.deepEqual(await async.series([later(2, 1), later(1, 2)]), [1, 2])
  })
  it('a queue drains', async () => {
    const seen = []
    const queue = async.queue((task, done) => setTimeout(() => done(null, seen.push(task)), task), 2)
    queue.push([5, 3, 8, 1])
    await queue.drain()
    assert.deepEqual([...seen].sort(), [1, 3, 5, 8])
  })
  it('auto runs what others need first', async () => {
    const order = []
    const step =
      (name) =>
      (...args) =>
        setTimeout(() => (order.push(name), args.at(-1)(null, name)), 3)
    await async.auto({ c: ['a', 'b', step('c')], a: step('a'), b: ['a', step('b')] })
    assert.deepEqual(order, ['a', 'b', 'c'])
  })
  it('retry', async () => {
    let tries = 0
    const result = await async.retry({ times: 4, interval: 5 }, (done) =>
      setImmediate(() => (++tries < 3 ? done(new Error('no')) : done(null, tries))),
    )
    assert.equal(result, 3)
  })
  it('memoize calls once', async () => {
    let calls = 0
    const slow = async.memoize((n, done) => setTimeout(() => done(null, ++calls), 4))
    assert.deepEqual(await async.map([1, 1, 1], slow), [1, 1, 1])
  })
})
