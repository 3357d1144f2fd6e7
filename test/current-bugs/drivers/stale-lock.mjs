/** A process that was killed has left its lock behind. Of two that find it, one may have the lock. */
import { strict as assert } from 'node:assert'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import lockfile from 'proper-lockfile'

const right = process.argv[2] === 'right'
const folder = await mkdtemp(`${tmpdir()}/locked-`)
const file = `${folder}/data.json`
await writeFile(file, '{}')
if (!right) {
  const hourAgo = new Date(Date.now() - 3_600_000)
  await mkdir(`${file}.lock`)
  await utimes(`${file}.lock`, hourAgo, hourAgo)
}

let holders = 0
let most = 0
const later = (ms) => new Promise((done) => setTimeout(done, ms))
async function exclusive() {
  let release
  try {
    release = await lockfile.lock(file, { stale: 5000 })
  } catch (error) {
    if (error.code === 'ELOCKED') return
    throw error
  }
  most = Math.max(most, ++holders)
  await later(200)
  holders--
  // Who has lost it to the other one cannot release it.
  await release().catch(() => {})
}

await Promise.all([exclusive(), later(60).then(exclusive)])
await rm(folder, { recursive: true })
assert.equal(most, 1)
