/** `heddle test`: starts a command that runs tests, with the runtime and the adapters of the runners (../runners) in every Node below it. */
import { readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { loadConfig, testConfigOf } from '../config/config.ts'
import { nothingToRun } from '../frontends/errors.ts'
import { Group, type Exit, type GroupPlan } from '../process/group.ts'
import { printable } from '../report/escape.ts'
import { checkReports, writeReports } from '../report/write.ts'
import { changedSince } from '../runners/changed.ts'
import { testCommandOf, type TestCommand } from '../runners/command.ts'
import { gatherDocuments } from '../runners/document.ts'
import { recordTests } from '../runners/settings.ts'
import { summaryLines } from '../runners/summary-text.ts'
import { addSummaries, readSummary } from '../runners/summaries.ts'
import { annotationsFor, type Annotations } from './annotations.ts'
import { FAILED } from './complain.ts'
import { catchInterrupt, INTERRUPTED } from './interrupt.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'

const PATIENCE_MS = 5000

export async function testCommand(given: Arguments, io: Io): Promise<number> {
  if (given.rest.length === 0) throw nothingToRun('heddle test -- node --test')
  const cwd = process.cwd()
  const args = given.over((await loadConfig(cwd, given.word('config'))).testGiven)
  const command = testCommandOf(given.rest, cwd)
  const reports = args.list('report')
  checkReports(reports)
  const base = args.word('changed')
  const settings = { ...testConfigOf(args), update: args.flag('update'), changed: base === undefined ? undefined : changedSince(base, cwd) }
  const recording = recordTests(cwd, settings, (sentence) => process.stderr.write(`heddle: ${sentence}\n`))
  const exit = await run({ ...command.plan, env: { ...command.plan.env, ...recording.env } })
  const interrupted = exit === undefined
  const summaries = readdirSync(recording.runs).filter((name) => /^summary-\d+\.json$/.test(name))
  const summary = addSummaries(summaries.flatMap((name) => readSummary(join(recording.runs, name))))
  const nothing = summary.analysed + summary.off + summary.unreached === 0
  const document = gatherDocuments({ runs: recording.runs, root: cwd, command: given.rest, summary, version: io.version, settings })
  const unwritten = writeReports(document, reports)
  const why = interrupted ? 'It was interrupted.' : whyNothing(command)
  const nobody = `Heddle: no test was recorded. ${why}`
  // The plugin for Vitest has said it already.
  const lines = summaries.length === 0 ? [nobody] : command.runner === 'vitest' ? [] : summaryLines(summary)
  process.stderr.write([...lines, ...command.notes.map((note) => `  ${note}`)].map((line) => `${printable(line)}\n`).join(''))
  await io.out.commands([...annotationsFor(document, args.word<Annotations>('annotations')!, process.env)].join(''))
  if (unwritten) throw unwritten
  if (interrupted) return INTERRUPTED
  // The tests passed, but of what was asked for nothing was done, or not what is committed.
  return exit === 0 && (nothing || summary.wrong.length > 0) ? FAILED : exit
}

/** The exit code; undefined when it was interrupted. */
async function run(plan: Omit<GroupPlan, 'stdio'>): Promise<number | undefined> {
  // At a terminal the tests stay in its foreground: watch modes read keys, and Ctrl-C reaches them by itself.
  const attached = process.stdin.isTTY
  const interrupt = catchInterrupt()
  const group = new Group({ ...plan, stdio: 'inherit', attached })
  let patience: NodeJS.Timeout | undefined
  interrupt.signal.addEventListener('abort', () => {
    if (attached) patience = setTimeout(() => group.stop(PATIENCE_MS), PATIENCE_MS)
    else group.stop(PATIENCE_MS)
  })
  try {
    const exit = await group.ended
    return interrupt.signal.aborted ? undefined : codeOf(exit)
  } finally {
    interrupt.release()
    clearTimeout(patience)
    if (attached) group.release()
    else group.clear()
  }
}

const codeOf = ({ code, signal }: Exit): number => code ?? 128 + (signal ? constants.signals[signal] : 0)

function whyNothing({ runner }: TestCommand): string {
  if (runner === 'vitest') return "Vitest needs a plugin in its config: `plugins: [heddle()]`, with `import heddle from 'heddle/vitest'`."
  if (runner !== undefined) return 'No test passed that could be, or none was run.'
  return 'Only node:test and Jest are looked into, and Vitest by its plugin (docs/vitest.md).'
}
