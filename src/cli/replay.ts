/** `heddle replay`: the program again, under the schedule of a finding. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LoopView } from '../causal/loop/turns.ts'
import { launchOf } from '../record/command.ts'
import type { Recording } from '../record/run.ts'
import { watchingFor } from '../replay/confirm.ts'
import { outcomeOf, type Outcome } from '../replay/outcome.ts'
import { replay, type Rerun } from '../replay/run.ts'
import type { RecordedPaths } from '../replay/branches.ts'
import { withSaved } from '../replay/saved-properties.ts'
import { cut, printable } from '../report/escape.ts'
import { scheduleLines } from '../report/finding-orders.ts'
import { painter } from '../report/paint.ts'
import type { Schedule } from '../runtime/js/protocol.ts'
import { readPaths } from '../symbolic/read-paths.ts'
import { openTrace } from '../trace/open.ts'
import { needFinding } from './find-finding.ts'
import { catchInterrupt, INTERRUPTED } from './interrupt.ts'
import type { Io } from './output.ts'
import type { Arguments } from './parse.ts'

const WATCHDOG_MS = 30_000
/** Of the schedule. */
const MOST_LINES = 30
const A_DAY_MS = 86_400_000

export async function replayCommand(args: Arguments, io: Io): Promise<number> {
  const cwd = process.cwd()
  const { finding, recording } = needFinding(args.positional('WHAT'), cwd)
  const { branch } = finding.prediction
  const paths = branch && recording ? pathsOf(recording) : undefined
  const { schedule } = finding.prediction
  const inspect = args.flag('inspect')
  const runs = inspect ? 1 : args.number('runs')!
  const folder = mkdtempSync(join(tmpdir(), 'heddle-replay-'))
  const interrupt = catchInterrupt()
  const rerun: Rerun = {
    launch: launchOf(schedule.command, cwd),
    recording: recording ?? unknownRecording(schedule),
    cwd,
    folder,
    watchdogMs: inspect ? A_DAY_MS : Math.max(WATCHDOG_MS, 10 * (recording?.ms ?? 0)),
    properties: withSaved([], [finding.prediction]),
    fromBegin: new Set(finding.prediction.property?.fromBegin ? [finding.prediction.property.name] : []),
    paths,
    signal: interrupt.signal,
    inspect,
  }
  const { branch: _, ...withoutBranch } = finding.prediction
  const watching = watchingFor(paths ? finding.prediction : withoutBranch)
  const paint = painter(io.colour)
  await io.out.write(`${printable(finding.prediction.summary)}\n`)
  const lines = scheduleLines(schedule)
  for (const [i, line] of lines.slice(0, MOST_LINES).entries()) await io.out.write(`  ${i + 1}. ${printable(line)}\n`)
  if (lines.length > MOST_LINES) await io.out.write(`  … ${lines.length - MOST_LINES} more\n`)
  await io.out.flush()
  let failures = 0
  let last: Outcome | undefined
  try {
    for (let i = 1; i <= runs && !interrupt.signal.aborted; i++) {
      const run = await replay(rerun, schedule)
      if (run.stopped === 'interrupted') break
      last = outcomeOf(run, schedule, rerun.recording, watching)
      if (last.result === 'failed') failures++
      const line = `replay ${i}: ${last.result}${wordsOf(last, watching.branch !== undefined)}`
      await io.out.write(`${last.result === 'failed' ? paint.failed(cut(line, io.width)) : cut(line, io.width)}\n`)
      await io.out.flush()
    }
  } finally {
    interrupt.release()
    rmSync(folder, { recursive: true, force: true })
  }
  if (last?.result === 'failed') for (const line of last.failure.detail) await io.out.write(`  ${printable(line)}\n`)
  if (interrupt.signal.aborted) return INTERRUPTED
  return failures > 0 ? 1 : 0
}

function wordsOf(outcome: Outcome, isBranch: boolean): string {
  if (outcome.result === 'failed') return `: ${printable(outcome.failure.message.split('\n')[0]!)}`
  if (outcome.result === 'reproduced' && isBranch) return ': the branch went the other way, and nothing visible broke'
  if (outcome.result === 'reproduced') return ': the order came about, and nothing visible broke'
  if (outcome.result === 'timed out') return `: ${outcome.why}`
  return ` at step ${outcome.step}: ${printable(outcome.why)}`
}

/** Of the recorded run, if they are still there: only with them it can be said which way a branch went. */
function pathsOf({ folder, trace }: Recording): RecordedPaths | undefined {
  try {
    const paths = readPaths(folder)
    return paths.length === 0 ? undefined : { paths, view: new LoopView(openTrace(trace)) }
  } catch {
    return undefined
  }
}

/** For a schedule that came alone, as a file. */
const unknownRecording = ({
  command,
  timers,
}: Schedule): Pick<Recording, 'command' | 'timers' | 'include' | 'exclude' | 'stdio' | 'input' | 'stopped' | 'ms'> => ({
  command,
  timers,
  include: [],
  exclude: [],
  stdio: ['quiet', 'pipe', 'pipe'],
  input: undefined,
  stopped: false,
  ms: 0,
})
