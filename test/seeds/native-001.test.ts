/**
 * Seed 001: the three kinds of bugs that 2ndStrike is about (files, pointers, locks) as C programs (test/programs/seed-001) in which other threads use
 * other objects of the same kind as they should. Each passes by itself; each is to be shown, by one of the first ten predictions, and nine times
 * in ten (the paper has all six of its bugs among the first eight, and five of six that often). The same programs with -DRIGHT are to stay silent.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { checked, told } from './check-native.ts'
import { noNative, Workshop } from './native-programs.ts'

const PROGRAMS = fileURLToPath(new URL('../programs/seed-001', import.meta.url))

interface Bug {
  readonly name: string
  /** What the finding says it is. */
  readonly pattern: RegExp
  /** Also where not all are asked for. */
  readonly always?: boolean
}

const LOCK = /^(use of a destroyed lock|destroy of a held lock)$/
const BUGS: readonly Bug[] = [
  { name: 'file-evicted', pattern: /^use of a closed descriptor$/ },
  { name: 'file-late-log', pattern: /^use of a closed stream$/, always: true },
  { name: 'file-reaper', pattern: /^use of a closed descriptor$/ },
  { name: 'pointer-transaction', pattern: /^use after free$/ },
  { name: 'pointer-index', pattern: /^(use after free|read order)$/, always: true },
  { name: 'pointer-recovery', pattern: /^(read order|stale read)$/ },
  { name: 'pointer-context', pattern: /^use after free$/ },
  { name: 'lock-fifo', pattern: LOCK, always: true },
  { name: 'lock-job', pattern: LOCK },
  { name: 'lock-shards', pattern: LOCK },
]
const ALL = process.env['HEDDLE_PROGRAMS'] === 'all'
const chosen = BUGS.filter(({ always }) => ALL || always)

const FIRST = 10
const RUNS = 10
const RATE = 0.9
const PLAIN = 3

it('every program is in the table', () => {
  expect(readdirSync(PROGRAMS).sort()).toEqual(BUGS.map(({ name }) => `${name}.c`).sort())
})

describe.skipIf(noNative !== '')(`2ndStrike's bugs ${noNative}`, { timeout: 90_000 }, () => {
  const workshop = new Workshop()
  afterAll(() => workshop.close())

  const build = (name: string, ...flags: string[]): { program: string; cwd: string } => {
    const cwd = join(workshop.folder, `in ${name}${flags.join('')}`)
    mkdirSync(cwd, { recursive: true })
    return { program: workshop.build(join(PROGRAMS, `${name}.c`), `${name}${flags.join('')}`, flags), cwd }
  }

  // Recorded runs differ, and with them what can be predicted from one.
  it.each(chosen)('$name is shown', { retry: 2 }, async ({ name, pattern }) => {
    const { program, cwd } = build(name)
    for (let run = 0; run < PLAIN; run++) expect(spawnSync(program, { cwd, timeout: 20_000 }).status).toBe(0)
    const result = await checked(program, cwd, { maxFindings: 1, replays: 80, confirm: RUNS })
    const at = result.findings.findIndex(({ status, prediction }) => status === 'FAILED' && pattern.test(prediction.pattern))
    expect(at, told(result)).toBeGreaterThanOrEqual(0)
    expect(at, told(result)).toBeLessThan(FIRST)
    const { runs, failures } = result.findings[at]!.replays
    expect(runs, told(result)).toBe(RUNS)
    expect(failures / runs, told(result)).toBeGreaterThanOrEqual(RATE)
  })

  it.each(chosen)('$name, mended, is silent', async ({ name }) => {
    const { program, cwd } = build(name, '-DRIGHT')
    const result = await checked(program, cwd, { maxFindings: 5, replays: ALL ? 60 : 12, confirm: RUNS })
    expect(result.findings.filter(({ status }) => status === 'FAILED').length, told(result)).toBe(0)
  })
})
