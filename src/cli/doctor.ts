/** `heddle doctor`: does everything Heddle needs work here? The last check finds a planted bug, from recording to replay. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from '../check.ts'
import { HeddleError } from '../errors.ts'
import { printable } from '../report/escape.ts'
import { buildPlanted, canBuild, compilers, nativeRuntime, notSupported, symbols } from './doctor-native.ts'
import type { Io } from './output.ts'
import type { Arguments } from './parse.ts'

const OLDEST = [20, 19] as const
const LIMIT_MS = 30_000
const REGISTER = new URL('../runtime/js/register.js', import.meta.url)

/** Two visitors and one seat. It passes as long as the disk answers within 20 ms. */
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
await Promise.all([take(), new Promise((resolve) => setTimeout(resolve, 20)).then(take)])
await rm(file)
if (taken > 1) throw new Error('one seat was taken twice')
`

/** A sentence when it is fine; otherwise the fault and a remedy. */
type Finding = { readonly ok: string } | { readonly fault: string; readonly remedy: string } | { readonly hint: string }

export async function doctorCommand(_args: Arguments, io: Io): Promise<number> {
  let sound = true
  for (const look of [
    nodeVersion,
    folder,
    runtime,
    planted,
    workers,
    solver,
    compilers,
    nativeRuntime,
    plantedInC,
    symbols,
    notSupported,
  ]) {
    const finding = await look()
    if (!finding) continue
    if ('fault' in finding) sound = false
    const line =
      'ok' in finding
        ? `ok      ${finding.ok}`
        : 'hint' in finding
          ? `        ${finding.hint}`
          : `not ok  ${finding.fault}. ${finding.remedy}.`
    await io.out.write(`${printable(line)}\n`)
    await io.out.flush()
  }
  return sound ? 0 : 2
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const enough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  if (!enough) return { fault: `Node ${process.versions.node} is too old`, remedy: `Install Node ${OLDEST.join('.')} or later` }
  const theirs = spawnSync('node', ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const other = theirs !== '' && theirs !== process.version ? `; the command node is ${theirs}` : ''
  return { ok: `Node ${process.versions.node}${other}` }
}

function folder(): Finding {
  const store = join(process.cwd(), '.heddle')
  const path = existsSync(store) ? store : process.cwd()
  try {
    accessSync(path, constants.W_OK)
    return { ok: `${path} can be written` }
  } catch {
    return { hint: `${path} cannot be written: runs and schedules will go to a temporary folder.` }
  }
}

function runtime(): Finding {
  if (!existsSync(fileURLToPath(REGISTER)))
    return { fault: 'The runtime is not there', remedy: 'Install Heddle again, or run `npm run build` in its folder' }
  const { status, stderr } = spawnSync('node', ['--import', REGISTER.href, '-e', '0'], { encoding: 'utf8', timeout: 20_000 })
  if (status === 0) return { ok: 'the runtime loads into Node' }
  const why = stderr?.split('\n').find((line) => /Error/.test(line)) ?? `exit code ${status}`
  return { fault: `The runtime does not load into Node: ${why}`, remedy: 'Use a Node of version 20.19 or later for the program, too' }
}

const planted = (): Promise<Finding> =>
  find('a planted bug', (cwd) => {
    writeFileSync(join(cwd, 'planted.mjs'), PLANTED)
    return ['node', 'planted.mjs']
  })

/** The same with a C compiler, where there is one. */
const plantedInC = async (): Promise<Finding | undefined> =>
  canBuild()
    ? find('optional: a planted bug in C', (cwd) => {
        buildPlanted(cwd)
        return ['./planted']
      })
    : undefined

async function find(what: string, plant: (cwd: string) => readonly string[]): Promise<Finding> {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-doctor-'))
  const never = new AbortController().signal
  const fault = (why: string): string => `${what.replace(/^(optional: )?a/, 'A')} was not found: ${why}`
  try {
    const { findings, determinism, coverage, threads, seconds } = await check(plant(cwd), {
      cwd,
      timers: 'due',
      properties: [],
      asked: new Set(),
      history: false,
      include: [],
      exclude: [],
      detail: false,
      outputToError: true,
      limitMs: LIMIT_MS,
      timeMs: LIMIT_MS,
      replays: 30,
      maxFindings: 1,
      confirm: 2,
      stop: never,
      signal: never,
      onProgress() {},
    })
    if (findings.some((f) => f.status === 'FAILED'))
      return { ok: `${what} was recorded, predicted and confirmed in ${seconds.toFixed(1)} s` }
    const stage =
      coverage.pairs === 0 && threads === undefined
        ? 'it was not recorded'
        : findings.length === 0
          ? 'it was not predicted'
          : determinism.differed.length > 0
            ? `a plain replay ended otherwise: ${determinism.differed[0]}`
            : `its replays ended ${[...new Set(findings.map((f) => f.status))].join(', ')}`
    return { fault: fault(stage), remedy: 'Please report this with the versions of Node and Heddle' }
  } catch (error) {
    const { message } = error as Error
    return {
      fault: fault(message.replace(/\.$/, '')),
      remedy: error instanceof HeddleError ? 'See above' : 'Please report this',
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

const workers = (): Finding => ({
  hint: 'Child processes of a program are left alone; only the process that is started, with its threads, is looked at.',
})

function solver(): Finding {
  try {
    createRequire(import.meta.url).resolve('z3-solver')
    return { ok: 'optional: z3-solver is there, for `heddle predict --decider z3`' }
  } catch {
    return { hint: 'Optional: z3-solver is not installed; only `heddle predict --decider z3` needs it.' }
  }
}
