/** Two files are moved to one name, without `overwrite`: one of them has to be refused. */
import { strict as assert } from 'node:assert'
import { tmpdir } from 'node:os'
import fs from 'fs-extra'

const right = process.argv[2] === 'right'
const dir = await fs.mkdtemp(`${tmpdir()}/move-`)
await fs.outputFile(`${dir}/a/invoice.txt`, 'a')
await fs.outputFile(`${dir}/b/invoice.txt`, 'b')
await fs.ensureDir(`${dir}/done`)

const moved = []
async function archive(from) {
  try {
    await fs.move(`${dir}/${from}/invoice.txt`, `${dir}/done/${right ? from : ''}invoice.txt`)
    moved.push(from)
  } catch (error) {
    if (error.message !== 'dest already exists.') throw error
  }
}

const later = (ms) => new Promise((done) => setTimeout(done, ms))
await Promise.all([archive('a'), later(50).then(() => archive('b'))])
const kept = await fs.readdir(`${dir}/done`)
await fs.remove(dir)
assert.equal(kept.length, moved.length)
