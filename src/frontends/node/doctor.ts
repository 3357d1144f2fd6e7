/** What `heddle doctor` checks for Node programs. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Doctor, Look } from '../contract.ts'
import { modulesFolder } from './cache-folder.ts'
import { REGISTER } from './start.ts'

const OLDEST = [20, 19] as const

/** Two visitors and one seat. It passes as long as the disk answers within 200 ms, on a busy machine, too. */
export const PLANTED = `import { readFile, rm, writeFile } from 'node:fs/promises'
const file = new URL('seats.json', import.meta.url)
await writeFile(file, '1')
let taken = 0
async function take() {
  const left = Number(await readFile(file, 'utf8'))
  if (left === 0) return
  await writeFile(file, String(left - 1))
  taken++
}
await Promise.all([take(), new Promise((resolve) => setTimeout(resolve, 200)).then(take)])
await rm(file)
if (taken > 1) throw new Error('one seat was taken twice')
`

export const doctor: Doctor = {
  platforms: {
    programs: 'Node programs, worker threads',
    support: { 'Linux x86-64': 'tried', 'Linux arm64': 'expected', macOS: 'expected', Windows: 'not tried' },
  },
  looks: [nodeVersion, runtime, cache],
  planted: {
    what: 'a planted bug',
    plant(cwd) {
      writeFileSync(join(cwd, 'planted.mjs'), PLANTED)
      return ['node', 'planted.mjs']
    },
  },
  limits:
    'Observed: the process that Heddle starts, its threads, and child processes that were built with `heddle cc`. Other child processes are not observed.',
}

function nodeVersion(): Look {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const enough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  if (!enough) return { fault: `Node ${process.versions.node} is too old`, remedy: `Install Node ${OLDEST.join('.')} or later` }
  const theirs = spawnSync('node', ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const other = theirs !== '' && theirs !== process.version ? `; the command node is ${theirs}` : ''
  return { ok: `Node ${process.versions.node}${other}` }
}

function runtime(): Look {
  if (!existsSync(fileURLToPath(REGISTER)))
    return { fault: 'The runtime is missing', remedy: 'Install Heddle again, or run `npm run build` in its folder' }
  const { status, stderr } = spawnSync('node', ['--import', REGISTER.href, '-e', '0'], { encoding: 'utf8', timeout: 20_000 })
  if (status === 0) return { ok: 'the runtime loads into Node' }
  const why = stderr?.split('\n').find((line) => /Error/.test(line)) ?? `exit code ${status}`
  return { fault: `The runtime does not load into Node: ${why}`, remedy: 'Use Node 20.19 or later for the program, too' }
}

function cache(): Look {
  const found = modulesFolder(process.cwd())
  if ('folder' in found) return { ok: `instrumented modules are cached in ${found.folder}` }
  return { hint: `Instrumented modules are not cached, which makes runs slower: ${found.why}.` }
}
