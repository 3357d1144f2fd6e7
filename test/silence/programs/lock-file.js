/** A lock file made with `wx`: only one holder at a time; who loses tries again. */
import assert from 'node:assert'
import { mkdtemp, open, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const dir = await mkdtemp(join(tmpdir(), 'lock-'))
const lock = join(dir, 'lock')
let holders = 0
let rounds = 0
async function withLock(action) {
  for (;;) {
    try {
      await (await open(lock, 'wx')).close()
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      await sleep(3)
    }
  }
  try {
    await action()
  } finally {
    await unlink(lock)
  }
}
const work = () =>
  withLock(async () => {
    assert.equal(++holders, 1)
    await sleep(2)
    rounds++
    holders--
  })
await Promise.all([work(), work(), work()])
assert.equal(rounds, 3)
await rm(dir, { recursive: true })
console.log('3 rounds')
