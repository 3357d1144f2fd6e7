/**
 * Programs in C and C++, two polarities: the wrong ones pass by themselves and are found from one passing run; the right ones stay silent and
 * print what they always print. Each is built with `heddle cc` and checked as a user would, in a folder of its own.
 *
 * A wrong program says in a comment what kinds of findings will do (`expects: data-race, atomicity`), and marks its lines that a
 * finding has to name one of (`bug`).
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { sized } from '../layer.ts'
import { ROOT } from '../node-bugs/install.ts'
import { checkedFrom, node, run, told, type Checked, type Ran } from '../node-bugs/run.ts'

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

/** A budget in replays; the seconds are for a machine that has other things to do, too. */
const WRONG_REPLAYS = '100'
const RIGHT_REPLAYS = sized('10', '60')
const TIME = '600'
const HANGS = 120_000
/** A wrong program passes nearly always. */
const PLAIN_RUNS = 3
const RATE = 0.9
const HEDDLE = join(ROOT, 'bin/heddle.js')

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** Builds it into a folder of its own, with nothing but what the README says. */
async function build({ name, file }: NativeProgram): Promise<{ readonly cwd: string; readonly path: string }> {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-native-'))
  folders.push(cwd)
  const words = [HEDDLE, extname(file) === '.c' ? 'cc' : 'c++', '-g', '-pthread', '-o', name, file]
  const built = await node(words, cwd, 300_000)
  expect(built, built.err).toMatchObject({ code: 0, err: '' })
  return { cwd, path: join(cwd, name) }
}

/** One of so many runs passes. */
async function passing(path: string, cwd: string, runs: number): Promise<Ran> {
  let ran = await run(path, [], cwd, HANGS)
  for (let again = 1; again < runs && ran.code !== 0; again++) ran = await run(path, [], cwd, HANGS)
  expect(ran).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/./) })
  return ran
}

const check = async (path: string, options: readonly string[], cwd: string): Promise<Checked> =>
  checkedFrom(await node([HEDDLE, 'check', '--json', '--time', TIME, ...options, '--', path], cwd, 900_000))

/** Empty when a wrong program is found, at one of its lines, by a schedule that fails again. */
export async function missed(program: NativeProgram): Promise<string> {
  const { cwd, path } = await build(program)
  await passing(path, cwd, PLAIN_RUNS)
  const checked = await check(path, ['--max-findings', '1', '--replays', WRONG_REPLAYS], cwd)
  const meant = checked.failed.filter(
    ({ kind, sites }) => program.expects.includes(kind) && sites.some((site) => program.lines.some((line) => names(site, line))),
  )
  const rates = meant.map(({ replays }) => replays.failures / replays.runs)
  return checked.code === 1 && Math.max(0, ...rates) >= RATE ? '' : told(checked)
}

const names = (site: string, line: string): boolean => ` ${site.replaceAll('/', ' ')} `.includes(` ${line} `)

/** Empty when nothing is told of a right program, and it prints what it prints without Heddle. */
export async function alarm(program: NativeProgram): Promise<string> {
  const { cwd, path } = await build(program)
  const plain = await passing(path, cwd, 1)
  const checked = await check(path, ['--replays', RIGHT_REPLAYS], cwd)
  expect(checked.program).toContain(plain.out)
  return checked.code === 0 && checked.failed.length === 0 ? '' : told(checked)
}
