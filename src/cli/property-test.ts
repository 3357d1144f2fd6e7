/** `heddle property test DIR`: are the expected violations of sample programs found, on their lines, and no others? samples.ts reads the comments. */
import { FRONT_ENDS } from '../frontends/all.ts'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { check } from '../check.ts'
import { HeddleError } from '../errors.ts'
import { tempFolder } from '../process/temp-folder.ts'
import { printable, safeJson } from '../report/escape.ts'
import { noSamples, noSuchFolder } from './errors.ts'
import { catchInterrupt, INTERRUPTED } from './interrupt.ts'
import { COMMANDS } from '../options/table.ts'
import type { Io } from './output.ts'
import { parse, type Arguments } from '../options/parse.ts'
import { ProgressLine } from './progress.ts'
import { declarationsOf } from '../property/choose.ts'
import { settingsOf } from '../options/settings-of.ts'
import { foundIn, judge, readSample, type Expected, type Found } from './samples.ts'

const PROGRAM = /\.(?:[cm]?js|[cm]?ts)$/
const NOT_AS_EXPECTED = 1

interface Tested {
  readonly file: string
  readonly expected: readonly Expected[]
  readonly found: readonly Found[]
  /** What is not as expected, a sentence each. */
  readonly problems: readonly string[]
  readonly seconds: number
}

export async function propertyTestCommand(args: Arguments, io: Io): Promise<number> {
  const { folder, files } = samplesAt(args.positional('DIR'))
  const json = args.flag('json')
  const interrupt = catchInterrupt()
  const progress = new ProgressLine(process.stderr)
  const tested: Tested[] = []
  try {
    for (const [i, file] of files.entries()) {
      if (interrupt.signal.aborted) break
      const say = (text: string): void => progress.say(`${i + 1} of ${files.length}, ${file}: ${text}`)
      const one = await test(folder, file, args, interrupt.signal, say)
      if (interrupt.signal.aborted) break
      tested.push(one)
      progress.clear()
      if (!json) await io.out.write(textOf(one))
      await io.out.flush()
    }
  } finally {
    progress.clear()
    interrupt.release()
  }
  const wrong = tested.filter((one) => one.problems.length > 0).length
  const complete = tested.length === files.length
  if (json) await io.out.write(`${safeJson({ heddle: io.version, complete, programs: tested })}\n`)
  else {
    const left = complete ? '' : `, ${files.length - tested.length} not run`
    await io.out.write(
      `${files.length === 1 ? '1 program' : `${files.length} programs`}: ${tested.length - wrong} as expected, ${wrong} not${left}\n`,
    )
  }
  return complete ? (wrong > 0 ? NOT_AS_EXPECTED : 0) : INTERRUPTED
}

/** Programs of a folder and those below it. Names with an underscore in front belong to another program. */
function samplesAt(path: string): { folder: string; files: string[] } {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw noSuchFolder(path)
  if (stat.isFile()) return { folder: resolve(dirname(path)), files: [basename(path)] }
  const files = programsIn(path, '').sort()
  if (files.length === 0) throw noSamples(path)
  return { folder: resolve(path), files }
}

function programsIn(root: string, below: string): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    if (/^[_.]/.test(entry.name) || entry.name === 'node_modules') return []
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return programsIn(root, path)
    return PROGRAM.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name) ? [path] : []
  })
}

async function test(folder: string, file: string, args: Arguments, signal: AbortSignal, say: (text: string) => void): Promise<Tested> {
  const start = performance.now()
  const sample = readSample(readFileSync(join(folder, file), 'utf8'))
  const done = (found: readonly Found[], problems: readonly string[]): Tested => {
    const seconds = Math.round((performance.now() - start) / 100) / 10
    return { file, expected: sample.expected, found, problems, seconds }
  }
  if (sample.faults.length > 0) return done([], sample.faults)
  const store = tempFolder('samples')
  try {
    const { findings, interrupted } = await check(commandOf(file), {
      frontEnds: FRONT_ENDS,
      ...optionsOf(sample.flags, args, folder),
      cwd: folder,
      storeIn: store.path,
      history: false,
      outputToError: true,
      quiet: true,
      stop: signal,
      signal,
      onProgress: ({ text }) => say(text),
    })
    const found = foundIn(findings, file)
    return done(found, interrupted ? [] : judge(sample, found, findings))
  } catch (error) {
    if (signal.aborted) return done([], [])
    if (!(error instanceof HeddleError)) throw error
    return done([], [`${error.fact}. ${error.remedy}.`])
  } finally {
    store.end()
  }
}

/** Flags of the sample count more than those of the command; files that it names are beside it. */
function optionsOf(flags: readonly string[], args: Arguments, folder: string) {
  const row = COMMANDS.find((c) => c.name === 'check')!
  const own = parse(row, ['--time', String(args.number('time')), ...flags])
  if (own === 'help') throw new HeddleError('sample-flags', 'The flags of the sample ask for help', 'Give options of `heddle check`')
  const beside = own.list('property').map((what) => (what.startsWith('library:') ? what : resolve(folder, what)))
  const library = args.word('library') === 'on' && own.word('library') === 'on'
  return { ...settingsOf(own), ...declarationsOf([...args.list('property'), ...beside], library) }
}

/** Node reads TypeScript by itself from some version on. */
function commandOf(file: string): string[] {
  const typed = file.endsWith('ts')
  return typed && !(process.features as { typescript?: unknown }).typescript ? ['npx', 'tsx', file] : ['node', file]
}

function textOf({ file, expected, problems, seconds }: Tested): string {
  const what = expected.length === 0 ? 'silent' : expected.map((one) => `${one.property} in line ${one.line}`).join(', ')
  const lines =
    problems.length === 0
      ? [`ok      ${file}: ${what} (${seconds} s)`]
      : [`not ok  ${file} (${seconds} s)`, ...problems.map((p) => `        ${p}`)]
  return lines.map((line) => `${printable(line)}\n`).join('')
}
