/** Keys derived on the thread pool, in any order, put together in the order they were asked for. */
import assert from 'node:assert'
import { createHash, pbkdf2, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

const users = ['ann', 'bob', 'cy', 'di']
const derive = promisify(pbkdf2)
const keys = new Map()
await Promise.all(
  users.map(async (user, i) => {
    const key = await derive(user, 'salt', 1000 * (users.length - i), 16, 'sha256')
    keys.set(user, key.toString('hex'))
  }),
)
assert.deepEqual([...keys.keys()].sort(), users)
const [one, two] = await Promise.all([promisify(scrypt)('a', 'b', 8), promisify(randomBytes)(8)])
assert.equal(one.length, two.length)
const all = createHash('sha256')
for (const user of users) all.update(keys.get(user))
console.log(all.digest('hex').slice(0, 12))
