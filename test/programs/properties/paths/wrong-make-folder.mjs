// Two that want a folder: each looks whether it is there, then makes it.
// flags: --max-findings 1 --confirm 1
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = mkdtempSync(join(tmpdir(), 'heddle-sample-'))
process.on('exit', () => existsSync(root) && rmSync(root, { recursive: true }))
const folder = join(root, 'cache')

const ensure = async () => {
  const there = await access(folder).then(
    () => true,
    () => false,
  )
  if (!there) await mkdir(folder) // expect PathCheckThenAct
}
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
await Promise.all([wait(1).then(ensure), wait(40).then(ensure)])
