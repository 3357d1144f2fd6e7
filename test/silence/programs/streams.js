/** A pipeline of file, gzip, gunzip, transform and file keeps order and bytes. */
import assert from 'node:assert'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

const dir = await mkdtemp(join(tmpdir(), 'streams-'))
const text = Array.from({ length: 5000 }, (_, i) => `line ${i}`).join('\n')
await writeFile(join(dir, 'in'), text)
const upper = new Transform({
  transform(chunk, _, done) {
    setImmediate(done, null, chunk.toString().toUpperCase())
  },
})
await pipeline(
  createReadStream(join(dir, 'in'), { highWaterMark: 16384 }),
  createGzip(),
  createGunzip(),
  upper,
  createWriteStream(join(dir, 'out')),
)
assert.equal(await readFile(join(dir, 'out'), 'utf8'), text.toUpperCase())
await rm(dir, { recursive: true })
console.log(`${text.length} characters`)
