/** Two parts of a program append to one log, each after it has made sure that the file is there. */
import { strict as assert } from 'node:assert'
import { dirname } from 'node:path'
import { tmpdir } from 'node:os'
import fs from 'fs-extra'

const right = process.argv[2] === 'right'
const folder = await fs.mkdtemp(`${tmpdir()}/audit-`)
const file = `${folder}/log/audit.log`

async function log(line) {
  await (right ? fs.ensureDir(dirname(file)) : fs.ensureFile(file))
  await fs.appendFile(file, `${line}\n`)
}

const later = (ms) => new Promise((done) => setTimeout(done, ms))
await Promise.all([log('ann paid'), later(50).then(() => log('bob paid'))])
const lines = (await fs.readFile(file, 'utf8')).trim().split('\n')
await fs.remove(folder)
assert.deepEqual(lines.sort(), ['ann paid', 'bob paid'])
