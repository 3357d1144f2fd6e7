/** Stars of a book, in LevelDB: each reader adds some. Nothing in LevelDB is atomic but a batch; the right version lets one reader after the other in. */
// expects: atomicity at key stars:9
// protection: awaited
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { ClassicLevel } from 'classic-level'
import { choose, clients, here } from './_parts.mjs'

rmSync('stars', { recursive: true, force: true })
const db = new ClassicLevel('stars', { valueEncoding: 'json' })
await db.put('stars:9', 0)

const add = async (id, stars) => {
  const before = await db.get(`stars:${id}`) // bug
  await here()
  await db.put(`stars:${id}`, before + stars) // bug
}

let last = Promise.resolve()
const rate = choose({
  wrong: add,
  right: (id, stars) => (last = last.then(() => add(id, stars))),
})

await clients(
  () => rate(9, 3),
  () => rate(9, 5),
)
assert.equal(await db.get('stars:9'), 8)
await db.close()
console.log('eight stars')
