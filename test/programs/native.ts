/**
 * Programs in C and C++, two polarities: the wrong ones pass by themselves and are found from one passing run; the right ones stay silent and
 * print what they always print. Each is built with `heddle cc` and checked as a user would, in a folder of its own.
 *
 * A wrong program says in a comment what kinds of findings will do (`expects: data-race, atomicity`), and marks its lines that a
 * finding has to name one of (`bug`).
 * The two polarities are two test files, so that two processes share the work.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ROOT } from '../node-bugs/install.ts'
import { node, NoPassingRun, run, told, type Checked, type CheckJson, type Ran } from '../node-bugs/run.ts'

export interface NativeProgram {
  /** The same for a wrong program and its right version. */
  readonly name: string
  readonly file: string
  readonly expects: readonly string[]
  /** Places of the bug, as findings name them: `counter.c:17`. */
  readonly lines: readonly string[]
}

export function nativePrograms(verdict: 'wrong' | 'right'): NativeProgram[] {
  const folder = join(ROOT, 'test/programs', verdict, 'c')
  const files = readdirSync(folder).filter((file) => /^[^_].*\.(c|cpp)$/.test(file))
  return files.toSorted().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const marked = text.split('\n').flatMap((line, i) => (/\/\/ bug\b/.test(line) ? [`${file}:${i + 1}`] : []))
    const expects = /^\/\/ expects: (.*)$/m.exec(text)?.[1]?.split(', ') ?? []
    return { name: basename(file, extname(file)), file: join(folder, file), expects, lines: marked }
  })
}

const compilers = { '.c': 'gcc', '.cpp': 'g++' } as const
const missing = Object.values(compilers).filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status !== 0)
/** Why nothing can be tried here; empty when all is there. */
export const cannot = process.platform !== 'linux' ? 'native programs need Linux' : missing.length > 0 ? `no ${missing.join(', no ')}` : ''

/** Which ones by default: CI has half a minute for both files. Of every kind one, the ones that are unlike each other. */
const SAMPLE = {
  wrong: new Set(['counter', 'locks-three', 'lost-wakeup', 'references', 'destroyed-mutex', 'closed-descriptor', 'vector-growth']),
  right: new Set(['flag-volatile', 'pool-shutdown', 'lock-back-off', 'queue', 'references', 'sequence-lock', 'cancel']),
}
const ALL = process.env['HEDDLE_PROGRAMS'] === 'all'
const sample = (verdict: 'wrong' | 'right'): NativeProgram[] =>
  nativePrograms(verdict).filter(({ name }) => ALL || SAMPLE[verdict].has(name))

/** Seconds after the recorded run. */
const TIME = '30'
/** Replays for a right program. */
const SILENT_REPLAYS = ALL ? '60' : '10'
const HANGS = 20_000
const ATTEMPTS = 3
const RATE = 0.9
const HEDDLE = join(ROOT, 'bin/heddle.js')

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** Builds it into a folder of its own, with nothing but what the README says. */
async function build({ name, file }: NativeProgram): Promise<{ readonly cwd: string; readonly path: string }> {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-native-'))
  folders.push(cwd)
  const words = [HEDDLE, extname(file) === '.c' ? 'cc' : 'c++', '-g', '-pthread', '-o', name, file]
  const built = await node(words, cwd, 120_000)
  expect(built, built.err).toMatchObject({ code: 0, err: '' })
  return { cwd, path: join(cwd, name) }
}

async function passing(path: string, cwd: string, attempts: number): Promise<Ran> {
  let ran = await run(path, [], cwd, HANGS)
  for (let again = 1; again < attempts && ran.code !== 0; again++) ran = await run(path, [], cwd, HANGS)
  expect(ran).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/./) })
  return ran
}

const refused = ({ code, err }: Ran): boolean => code === 2 && err.includes('The recorded run failed')

async function check(path: string, options: readonly string[], cwd: string): Promise<Checked> {
  const words = [HEDDLE, 'check', '--json', '--time', TIME, ...options, '--', path]
  let recordings = 1
  let ran = await node(words, cwd, 180_000)
  for (; recordings < ATTEMPTS && refused(ran); recordings++) ran = await node(words, cwd, 180_000)
  if (refused(ran)) throw new NoPassingRun(`None of ${recordings} recorded runs passed:\n${ran.err.slice(-2000)}`)
  if (!ran.out.startsWith('{')) throw new Error(`heddle check ended with ${ran.code}:\n${ran.out.slice(-2000)}\n${ran.err.slice(-4000)}`)
  const json = JSON.parse(ran.out) as CheckJson
  return { ...ran, recordings, json, program: ran.err, failed: json.findings.filter(({ status }) => status === 'FAILED') }
}

export function wrongOnes(): void {
  test('every wrong one says what it expects and has its right version, and there are more right ones', () => {
    const wrong = nativePrograms('wrong')
    const right = nativePrograms('right').map(({ name }) => name)
    expect(wrong.length).toBeGreaterThanOrEqual(34)
    expect(right).toEqual(expect.arrayContaining(wrong.map(({ name }) => name)))
    expect(wrong.filter(({ expects, lines }) => expects.length === 0 || lines.length === 0)).toEqual([])
  })

  // Recorded runs differ, and with them what can be predicted from one: two more are allowed.
  describe.skipIf(cannot !== '')(`wrong ${cannot}`, { retry: 2 }, () => {
    test.each(sample('wrong'))('$name', async (program) => {
      const { cwd, path } = await build(program)
      await passing(path, cwd, ATTEMPTS)
      const checked = await check(path, ['--max-findings', '1'], cwd)
      expect(checked.code, told(checked)).toBe(1)
      const meant = checked.failed.filter(
        ({ kind, sites }) => program.expects.includes(kind) && sites.some((site) => program.lines.some((line) => names(site, line))),
      )
      const rates = meant.map(({ replays }) => replays.failures / replays.runs)
      expect(Math.max(0, ...rates), told(checked)).toBeGreaterThanOrEqual(RATE)
    })
  })
}

const names = (site: string, line: string): boolean => ` ${site.replaceAll('/', ' ')} `.includes(` ${line} `)

export function rightOnes(): void {
  describe.skipIf(cannot !== '')(`right ${cannot}`, () => {
    test.each(sample('right'))('$name', async (program) => {
      const { cwd, path } = await build(program)
      const plain = await passing(path, cwd, 1)
      const checked = await check(path, ['--replays', SILENT_REPLAYS], cwd)
      expect(checked.failed, told(checked)).toEqual([])
      expect(checked.code, told(checked)).toBe(0)
      expect(checked.program).toContain(plain.out)
    })
  })
}
