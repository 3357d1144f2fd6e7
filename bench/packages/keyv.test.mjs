import assert from 'node:assert/strict'
import { test } from 'node:test'
import Keyv from 'keyv'

test('values, and their time to live', async () => {
  const keyv = new Keyv()
  await keyv.set('a', 1)
  await keyv.set('b', { n: 2 }, 20)
  assert.equal(await keyv.get('a'), 1)
  assert.deepEqual(await keyv.get('b'), { n: 2 })
  await new Promise((resolve) => setTimeout(resolve, 40))
  assert.equal(await keyv.get('b'), undefined)
})
test('namespaces', async () => {
  const store = new Map()
  const [one, two] = [new Keyv({ store, namespace: 'one' }), new Keyv({ store, namespace: 'two' })]
  await Promise.all([one.set('k', 1), two.set('k', 2)])
  assert.deepEqual(await Promise.all([one.get('k'), two.get('k')]), [1, 2])
  await one.delete('k')
  assert.deepEqual([await one.has('k'), await two.has('k')], [false, true])
})
