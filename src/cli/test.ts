/**
 * `heddle test`: starts a command that runs tests, with the runtime and the adapters of the runners (../runners) in every Node process below it; or
 * has workers run it, file by file.
 */
import { writePieces } from '../base/json-file.ts'
import { loadConfig, testConfigOf } from '../config/config.ts'
import { nothingToRun } from '../frontends/errors.ts'
import { printable } from '../report/escape.ts'
import { checkReports, writeReports } from '../report/write.ts'
import { changedSince } from '../runners/changed.ts'
import { testCommandOf, type TestCommand } from '../runners/command.ts'
import { keepMerged } from '../runners/document.ts'
import { documentOfPart, newPart, type Part, type TestEntry } from '../runners/part.ts'
import { runTests } from '../runners/run-tests.ts'
import type { TestSettings } from '../runners/settings.ts'
import { NOTHING } from '../runners/summaries.ts'
import { summaryLines } from '../runners/summary-text.ts'
import { addSummaries } from '../runners/summaries.ts'
import { testFilesOf } from '../runners/test-files.ts'
import { annotationsFor, type Annotations } from './annotations.ts'
import { FAILED } from './complain.ts'
import { badPartName, badShard, shardAndQueue, testsOnQueue } from './errors.ts'
import { farTests } from './far-tests.ts'
import { catchInterrupt, INTERRUPTED } from './interrupt.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'

/** What was run, here or elsewhere. */
interface Ran {
  readonly entries: readonly TestEntry[]
  readonly interrupted: boolean
  /** The folder of the run; empty where there were several. */
  readonly runs: string
  /** Did any process say what it looked at? */
  readonly isRecorded: boolean
  /** A sentence. */
  readonly left?: string | undefined
  /** Of a shard that is empty nothing is expected. */
  readonly isEmpty?: boolean
}

export async function testCommand(given: Arguments, io: Io): Promise<number> {
  if (given.rest.length === 0) throw nothingToRun('heddle test -- node --test')
  const cwd = process.cwd()
  const args = given.over((await loadConfig(cwd, given.word('config'))).testGiven)
  const command = testCommandOf(given.rest, cwd)
  const reports = args.list('report')
  checkReports(reports)
  const [shard, out] = [shardOf(args.word('shard')), args.word('out')]
  if (out !== undefined && !out.endsWith('.heddle')) throw badPartName(out)
  const base = args.word('changed')
  const config = testConfigOf(args)
  const settings = { ...config, update: args.flag('update'), changed: base === undefined ? undefined : changedSince(base, cwd) }
  if (args.isSaid('queue')) {
    if (shard) throw shardAndQueue()
    if (settings.update || base !== undefined) throw testsOnQueue(settings.update ? '--update' : '--changed')
  }
  const ran: Ran = args.isSaid('queue')
    ? { ...(await farTests(args, command, config)), runs: '', isRecorded: true }
    : await ranHere(command, cwd, settings, shard)
  const { entries, interrupted, isRecorded } = ran
  const summary = addSummaries(entries.map((entry) => entry.summary))
  const { time, replays, maxFindings, confirm, timers } = settings
  const part: Part = newPart({
    version: io.version,
    command: given.rest,
    root: cwd,
    shards: shard?.of ?? 0,
    timers,
    budgets: { time, replays, maxFindings, confirm },
    entries,
  })
  const whole = documentOfPart(part, summary)
  const document = keepMerged({ ...whole, recorded: { ...whole.recorded, trace: ran.runs } }, cwd)
  const unwritten = writeReports(document, reports)
  if (out !== undefined) writePieces(out, [`${JSON.stringify(part)}\n`])
  const why = interrupted ? 'It was interrupted.' : whyNothing(command)
  const nobody = ran.isEmpty ? 'Heddle: this shard has no test file.' : `Heddle: no test was recorded. ${why}`
  // The plugin for Vitest has said it already.
  const lines = !isRecorded ? [nobody] : command.runner === 'vitest' && !args.isSaid('queue') ? [] : summaryLines(summary)
  const left = ran.left === undefined ? [] : [ran.left]
  process.stderr.write([...lines, ...[...command.notes, ...left].map((note) => `  ${note}`)].map((line) => `${printable(line)}\n`).join(''))
  await io.out.commands([...annotationsFor(document, args.word<Annotations>('annotations')!, process.env)].join(''))
  if (unwritten) throw unwritten
  if (interrupted) return INTERRUPTED
  const exit = entries.find((entry) => entry.exit !== 0)?.exit ?? 0
  const isNothing = summary.analysed + summary.off + summary.unreached === 0 && !ran.isEmpty
  // The tests passed, but of what was asked for nothing was done, or not what is committed.
  return exit === 0 && (isNothing || summary.wrong.length > 0) ? FAILED : exit
}

interface Shard {
  readonly nth: number
  readonly of: number
}

function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined
  const [, nth, of] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []
  if (nth === undefined || Number(nth) > Number(of)) throw badShard(text)
  return { nth: Number(nth), of: Number(of) }
}

async function ranHere(command: TestCommand, cwd: string, settings: TestSettings, shard: Shard | undefined): Promise<Ran> {
  const name = shard ? `${shard.nth}/${shard.of}` : 'all'
  const files = shard && testFilesOf(command, cwd)
  const own = files?.files.filter((_, i) => i % shard!.of === shard!.nth - 1)
  if (own?.length === 0) {
    const nothing: TestEntry = { name, started: new Date().toISOString(), exit: 0, summary: NOTHING, documents: [] }
    return { entries: [nothing], interrupted: false, runs: '', isRecorded: false, isEmpty: true }
  }
  const interrupt = catchInterrupt()
  try {
    const { entry, interrupted, runs, processes } = await runTests({
      command: own ? files!.commandFor(own) : command,
      cwd,
      settings,
      name,
      signal: interrupt.signal,
      output: 'terminal',
      say: (sentence) => process.stderr.write(`heddle: ${sentence}\n`),
    })
    return { entries: [entry], interrupted, runs, isRecorded: processes > 0 }
  } finally {
    interrupt.release()
  }
}

function whyNothing({ runner }: TestCommand): string {
  if (runner === 'vitest') return "Vitest needs a plugin in its config: `plugins: [heddle()]`, with `import heddle from 'heddle/vitest'`."
  if (runner !== undefined) return 'No test passed, or none was run.'
  return 'Heddle records tests of node:test and Jest, and of Vitest with its plugin (docs/vitest.md).'
}
