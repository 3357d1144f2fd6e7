// Both make it, and take it well if it is there.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = mkdtempSync(join(tmpdir(), 'heddle-sample-'))
process.on('exit', () => existsSync(root) && rmSync(root, { recursive: true }))
const folder = join(root, 'cache')

const ensure = () =>
  mkdir(folder).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
await Promise.all([wait(1).then(ensure), wait(40).then(ensure)]) // ok
