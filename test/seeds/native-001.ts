/**
 * Seed 001: the three kinds of bugs that 2ndStrike is about (files, pointers, locks) as C programs (test/programs/seed-001) in which other threads use
 * other objects of the same kind as they should. Each passes by itself; each is to be shown, by one of the first ten predictions, and nine times
 * in ten (the paper has all six of its bugs among the first eight, and five of six that often). The same programs with -DRIGHT are to stay silent.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import type { CheckResult } from '../../src/check.ts'
import { AS_RECORDED } from '../../src/confirm/as-recorded.ts'
import { checked, told } from './check-native.ts'
import { sized } from '../layer.ts'
import { Workshop } from './native-programs.ts'

export const PROGRAMS = fileURLToPath(new URL('../programs/seed-001', import.meta.url))

export interface Bug {
  readonly name: string
  /** What the finding says it is. */
  readonly pattern: RegExp
  /** Also in the usual run of the tests. */
  readonly always?: boolean
}

const LOCK = /^(use of a destroyed lock|destroy of a held lock)$/
export const BUGS: readonly Bug[] = [
  { name: 'file-evicted', pattern: /^use of a closed descriptor$/ },
  { name: 'file-late-log', pattern: /^use of a closed stream$/, always: true },
  { name: 'file-reaper', pattern: /^use of a closed descriptor$/ },
  { name: 'pointer-transaction', pattern: /^use after free$/ },
  { name: 'pointer-index', pattern: /^use after free$/, always: true },
  { name: 'pointer-recovery', pattern: /^(read order|stale read)$/ },
  { name: 'pointer-context', pattern: /^use after free$/ },
  { name: 'lock-fifo', pattern: LOCK, always: true },
  { name: 'lock-job', pattern: LOCK },
  { name: 'lock-shards', pattern: LOCK },
]
const FIRST = 10
const RUNS = 10
const RATE = 0.9
const PLAIN = 3

const workshop = new Workshop()
afterAll(() => workshop.close())

function build(name: string, ...flags: string[]): { program: string; cwd: string } {
  const cwd = join(workshop.folder, `in ${name}${flags.join('')}`)
  mkdirSync(cwd, { recursive: true })
  return { program: workshop.build(join(PROGRAMS, `${name}.c`), `${name}${flags.join('')}`, flags), cwd }
}

/** It is a prediction that is asked for: on a busy machine a recorded run may show the bug by itself. */
async function fromPassing(check: () => Promise<CheckResult>): Promise<CheckResult> {
  for (let recording = 1; ; recording++) {
    const result = await check()
    if (recording === PLAIN || result.findings.every(({ prediction }) => prediction.kind !== AS_RECORDED)) return result
  }
}

/** Empty when it is shown by one of the first predictions, nine times in ten. */
export async function missed({ name, pattern }: Bug): Promise<string> {
  const { program, cwd } = build(name)
  // It is wrong: on a busy machine it may fail by itself, but not every time.
  const ends = Array.from({ length: PLAIN }, () => spawnSync(program, { cwd, timeout: 300_000 }).status)
  expect(ends).toContain(0)
  const result = await fromPassing(() => checked(program, cwd, { maxFindings: 1, replays: 80, confirm: RUNS }))
  const at = result.findings.findIndex(({ status, prediction }) => status === 'FAILED' && pattern.test(prediction.pattern))
  if (at < 0 || at >= FIRST) return `not among the first ${FIRST}: ${told(result)}`
  const { runs, failures } = result.findings[at]!.replays
  return runs === RUNS && failures / runs >= RATE ? '' : told(result)
}

/** Empty when nothing is told of the mended program. */
export async function alarm({ name }: Bug): Promise<string> {
  const { program, cwd } = build(name, '-DRIGHT')
  const result = await checked(program, cwd, { maxFindings: 5, replays: sized(12, 60), confirm: RUNS })
  return result.findings.some(({ status }) => status === 'FAILED') ? told(result) : ''
}
