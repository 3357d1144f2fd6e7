/** Commands of Redis and MongoDB and what they are read as. */
import { expect, test } from 'vitest'
import { readMongo } from '../../src/resource/mongo.ts'
import { readRedis } from '../../src/resource/redis.ts'
import { drawn } from './drawn.ts'

const redis = (line: string): string => {
  const [name, ...args] = line.split(' ')
  return drawn(readRedis(name, args))
}

test('keys and how they are touched', () => {
  expect(redis('GET a')).toBe('read key a')
  expect(redis('set a 1')).toBe('write key a')
  expect(redis('SET a 1 GET')).toBe('update key a')
  expect(redis('INCR a')).toBe('update key a')
  expect(redis('MGET a b')).toBe('read key a; read key b')
  expect(redis('MSET a 1 b 2')).toBe('write key a; write key b')
  expect(redis('BLPOP a b 0')).toBe('update key a; update key b; lock next of key a until statement; lock next of key b until statement')
  expect(redis('RENAME a b')).toBe('update key a; write key b')
  expect(redis('ZUNIONSTORE d 2 a b WEIGHTS 1 2')).toBe('write key d; read key a; read key b')
  expect(redis('XREAD COUNT 2 STREAMS a b 0 0')).toBe('read key a; read key b')
  expect(redis('XREADGROUP GROUP g c STREAMS a >')).toBe('update key a')
  expect(redis('XACK a g 1-0')).toBe('update key a pending in g')
  expect(redis('XAUTOCLAIM a g c 1000 0')).toBe('read key a; update key a pending in g')
  expect(redis('SORT a STORE b')).toBe('read key a; write key b')
  expect(redis('SORT a BY w_*')).toMatch(/not understood$/)
})

test('fields of hashes and members of sets are parts of their key', () => {
  expect(redis('HGET h f')).toBe('read key h[member=f]')
  expect(redis('HSET h f 1 g 2')).toBe('write key h[member=f] members; write key h[member=g] members')
  expect(redis('HGETALL h')).toBe('read key h')
  expect(redis('SADD s x')).toBe('update key s[member=x] members')
  expect(redis('ZADD z NX 1 m')).toBe('update key z[member=m]')
})

test('locks, transactions, channels, all keys', () => {
  expect(redis('SET lock x NX PX 100')).toBe('update key lock; lock key lock until release tries')
  expect(redis('SETNX lock x')).toBe('update key lock; lock key lock until release tries')
  expect(redis('DEL lock')).toBe('write key lock; unlock key lock')
  expect(redis('MULTI')).toBe('begin')
  expect(redis('EXEC')).toBe('commit')
  expect(readRedis('WATCH', ['a']).watches).toEqual(['key a'])
  expect(redis('PUBLISH c m')).toBe('write channel c')
  expect(redis('FLUSHDB')).toBe('write database members')
  expect(redis('KEYS *')).toBe('read database')
  expect(redis('NOSUCHCOMMAND a')).toBe('update database; not understood')
})

test('a script touches the keys it is given; one that makes up others is not understood', () => {
  const release = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end'
  expect(drawn(readRedis('EVAL', [release, 1, 'lock', 'x']))).toBe('update key lock; unlock key lock')
  expect(drawn(readRedis('eval', ["return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 9)", '1', 'lock', 'x']))).toBe(
    'update key lock; lock key lock until release tries',
  )
  const looks = 'if redis.call("exists", KEYS[1]) == 1 then return 0 end redis.call("set", KEYS[1], ARGV[1], "PX", 9) return 1'
  expect(drawn(readRedis('eval', [looks, 1, 'lock', 'x']))).toBe('update key lock; lock key lock until release tries')
  expect(drawn(readRedis('eval', ["local k = KEYS[1] return redis.call('get', k)", 1, 'a']))).toBe('read key a')
  expect(drawn(readRedis('eval', ["return redis.call('get', 'x' .. ARGV[1])", 0, 'a']))).toBe('update database; not understood')
})

test('a command may come as one list, with bytes', () => {
  expect(drawn(readRedis(['GET', Buffer.from('a')]))).toBe('read key a')
  for (const bad of [undefined, null, [], {}, Symbol('x')]) expect(readRedis(bad as never).understood).toBe(false)
})

test('commands of MongoDB are read as documents and their fields', () => {
  expect(drawn(readMongo({ find: 'users', filter: { _id: 7, age: { $gt: 3 } } }))).toBe('read users[_id=7]')
  expect(drawn(readMongo({ find: 'users', filter: { $or: [{ a: 1 }, { a: { $in: [2, 3] } }] } }))).toBe(
    'read users[a=1]; read users[a=2]; read users[a=3]',
  )
  expect(drawn(readMongo({ insert: 'users', documents: [{ _id: 1, email: 'x' }] }))).toBe(
    'update users[_id=1,email=x]._id+email members unique _id=1',
  )
  const update = (q: object, u: unknown): string => drawn(readMongo({ update: 'items', updates: [{ q, u }] }))
  expect(update({ _id: 7 }, { $set: { stock: 3 } })).toBe('write items[_id=7].stock')
  expect(update({ _id: 7 }, { $inc: { stock: -1 } })).toBe('update items[_id=7].stock')
  expect(update({ _id: 7, stock: { $gt: 0 } }, { $set: { stock: 3 } })).toBe('update items[_id=7].stock if stock')
  expect(update({ owner: 1 }, { $set: { owner: 2 } })).toBe('update items.owner if owner')
  expect(drawn(readMongo({ delete: 'items', deletes: [{ q: { _id: 7 }, limit: 1 }] }))).toBe('write items[_id=7] members')
  expect(drawn(readMongo({ findAndModify: 'jobs', query: { state: 'new' }, update: { $set: { by: 1 } } }))).toBe(
    'update jobs[state=new].by',
  )
  expect(drawn(readMongo({ aggregate: 'o', pipeline: [{ $match: { a: 1 } }, { $lookup: { from: 'u' } }, { $out: 'z' }] }))).toBe(
    'read o[a=1]; read u; update z members',
  )
  expect(drawn(readMongo({ find: 'a', filter: {}, startTransaction: true }))).toBe('read a; begin')
  expect(drawn(readMongo({ commitTransaction: 1 }))).toBe('commit')
  for (const bad of [undefined, null, 3, {}, { nosuch: 1 }]) expect(readMongo(bad).understood).toBe(false)
})
