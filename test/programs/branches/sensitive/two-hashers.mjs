/**
 * TAME, figure 4: two implementations of a hash compare their results through a map. Who comes first finds nothing, so the first check
 * is sensitive. Both hashes are the same, so the comparison is not.
 */
import { createHash, webcrypto } from 'node:crypto'
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const INPUT = 'esec/fse2015'
const hashes = new Map()

async function one() {
  await access(new URL(import.meta.url))
  checkHash(createHash('sha256').update(INPUT).digest('hex'))
}

async function other() {
  await sleep(80)
  const bytes = await webcrypto.subtle.digest('SHA-256', Buffer.from(INPUT))
  checkHash(Buffer.from(bytes).toString('hex'))
}

function checkHash(hash) {
  const hashed = hashes.get(INPUT)
  if (hashed === undefined) return hashes.set(INPUT, hash) // sensitive: benign
  if (hashed !== hash) throw new Error('the hashes differ') // not sensitive
  return hashes
}

await Promise.all([one(), other()])
console.log(hashes.get(INPUT))
