/**
 * Programs of one language, two polarities: the wrong ones pass by themselves and are found from one passing run; the right ones stay silent and print what they always
 * print. Each is checked as a user would, in a folder of its own.
 *
 * A wrong program says what its cause is (../cause/expected.ts).
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { AS_RECORDED } from '../../src/confirm/as-recorded.ts'
import { expectedIn } from '../cause/expected.ts'
import { sized } from '../layer.ts'
import { ROOT } from '../node-bugs/install.ts'
import { checkedFrom, node, run, told, type Checked, type Ran } from '../node-bugs/run.ts'
import type { Check } from '../rates.ts'

export type Verdict = 'wrong' | 'right'

export interface MarkedProgram {
  /** The same for a wrong program and its right version. */
  readonly name: string
  readonly verdict: Verdict
  readonly file: string
  readonly expects: readonly string[]
  /** Places of the bug, as findings name them: `counter.c:17`. */
  readonly lines: readonly string[]
}

/** The files of a folder whose names fit; those that begin with `_` are parts of others. */
export function markedPrograms(verdict: Verdict, language: string, fits: RegExp): MarkedProgram[] {
  const folder = join(ROOT, 'test/programs', verdict, language)
  const files = readdirSync(folder).filter((file) => !file.startsWith('_') && fits.test(file))
  return files.toSorted().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const { kinds: expects, lines } = expectedIn(text, file) ?? { kinds: [], lines: [] }
    return { name: basename(file, extname(file)), verdict, file: join(folder, file), expects, lines }
  })
}

export const HEDDLE = join(ROOT, 'bin/heddle.js')

/** A budget in replays; the seconds are for a machine that has other things to do, too. */
const WRONG_REPLAYS = '100'
const RIGHT_REPLAYS = sized('10', '60')
const TIME = '600'
const HANGS = 120_000
/** A wrong program passes nearly always. */
const PLAIN_RUNS = 3
const RATE = 0.9

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** Removed at the end. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-programs-'))
  folders.push(folder)
  return folder
}

type Command = readonly [string, ...string[]]

/** One of so many runs passes. */
async function passing([path, ...words]: Command, cwd: string, runs: number): Promise<Ran> {
  let ran = await run(path, words, cwd, HANGS)
  for (let again = 1; again < runs && (ran.code !== 0 || ran.err !== ''); again++) ran = await run(path, words, cwd, HANGS)
  expect(ran).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/./) })
  return ran
}

const check = async (command: Command, options: readonly string[], cwd: string): Promise<Checked> =>
  checkedFrom(await node([HEDDLE, 'check', '--json', '--time', TIME, ...options, '--', ...command], cwd, 900_000))

const names = (site: string, line: string): boolean => ` ${site.replaceAll('/', ' ')} `.includes(` ${line} `)

/** `build`: makes it in this folder, with nothing but what the README says, and gives the command that runs it. */
export function checksOf(build: (program: MarkedProgram, cwd: string) => Promise<Command>): {
  /** Empty when a wrong program is found, at one of its lines, by a schedule that fails again. */
  readonly missed: Check<MarkedProgram>
  /** Empty when nothing is told of a right program, and it prints what it prints without Heddle. */
  readonly alarm: Check<MarkedProgram>
  /** What a check of a wrong program says first. */
  readonly headline: (program: MarkedProgram) => Promise<Checked>
} {
  return {
    async headline(program) {
      const cwd = ownFolder()
      return check(await build(program, cwd), ['--max-findings', '1', '--picture', '0', '--replays', WRONG_REPLAYS], cwd)
    },
    async missed(program) {
      const cwd = ownFolder()
      const command = await build(program, cwd)
      await passing(command, cwd, PLAIN_RUNS)
      let checked = await check(command, ['--max-findings', '1', '--replays', WRONG_REPLAYS], cwd)
      // On a busy machine the recorded run itself may fail. What is asked is whether the bug is found from one that passed.
      for (let again = 1; again < PLAIN_RUNS && checked.failed.some(({ kind }) => kind === AS_RECORDED); again++)
        checked = await check(command, ['--max-findings', '1', '--replays', WRONG_REPLAYS], cwd)
      const meant = checked.failed.filter(
        ({ kind, sites }) => program.expects.includes(kind) && sites.some((site) => program.lines.some((line) => names(site, line))),
      )
      const rates = meant.map(({ replays }) => replays.failures / replays.runs)
      return checked.code === 1 && Math.max(0, ...rates) >= RATE ? '' : told(checked)
    },
    async alarm(program) {
      const cwd = ownFolder()
      const command = await build(program, cwd)
      const plain = await passing(command, cwd, 1)
      const checked = await check(command, ['--replays', RIGHT_REPLAYS], cwd)
      expect(checked.program).toContain(plain.out)
      return checked.code === 0 && checked.failed.length === 0 ? '' : told(checked)
    },
  }
}
