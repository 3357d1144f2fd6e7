/** `heddle check`. */
import { check, type CheckResult } from '../check.ts'
import { nothingToRun } from '../record/errors.ts'
import type { RecordOptions } from '../record/run.ts'
import type { Status } from '../replay/confirm.ts'
import { checkJson } from '../report/finding-json.ts'
import { checkText } from '../report/finding-text.ts'
import type { Timers } from '../runtime/js/protocol.ts'
import { badWindow } from './errors.ts'
import { catchInterrupt, INTERRUPTED, type Interrupt } from './interrupt.ts'
import type { Io } from './output.ts'
import type { Arguments } from './parse.ts'
import { ProgressLine } from './progress.ts'
import { declarationsOf } from './properties.ts'

type FailOn = 'failed' | 'reproduced' | 'predicted' | 'none'

const COUNTS: Readonly<Record<FailOn, (status: Status) => boolean>> = {
  failed: (status) => status === 'FAILED',
  reproduced: (status) => status === 'FAILED' || status === 'REPRODUCED',
  predicted: () => true,
  none: () => false,
}

export async function checkCommand(args: Arguments, io: Io): Promise<number> {
  if (args.rest.length === 0) throw nothingToRun()
  const json = args.flag('json')
  const stop = new AbortController()
  const analysis = new AbortController()
  let progress: ProgressLine | undefined
  let interrupt: Interrupt | undefined = catchInterrupt(stop)
  const onPhase = (phase: 'predicting' | 'replaying'): void => {
    progress ??= new ProgressLine(process.stderr)
    interrupt?.release()
    // Predicting has no pauses in which a signal could be heard, and nothing to clean up. A Ctrl-C that came while recording was the first one.
    interrupt = phase === 'predicting' ? undefined : stop.signal.aborted ? catchInterrupt(stop) : catchInterrupt(analysis)
  }
  let result: CheckResult
  try {
    result = await check(args.rest, {
      ...settingsOf(args),
      cwd: process.cwd(),
      ...declarationsOf(args.list('property'), args.word('library') === 'on'),
      history: args.word('history') === 'on',
      outputToError: json,
      stop: stop.signal,
      signal: analysis.signal,
      onPhase,
      onProgress: (text) => progress?.say(text),
    })
  } finally {
    interrupt?.release()
    progress?.clear()
  }
  const counts = COUNTS[args.word<FailOn>('fail-on')!]
  // Known before anything is printed, so that a reader that goes away does not change it.
  process.exitCode = result.interrupted ? INTERRUPTED : result.findings.some((f) => counts(f.status)) ? 1 : 0
  await io.out.writeAll(
    json
      ? checkJson(result, io.version)
      : checkText(result, { width: io.width, colour: io.colour, root: process.cwd(), verbose: args.flag('verbose') }),
  )
  return process.exitCode
}

/** `--branches`, `--branch-window 10000@3`. */
function branchesOf(args: Arguments): RecordOptions['branches'] {
  const window = args.word('branch-window')
  if (window === undefined) return args.flag('branches') ? {} : undefined
  const match = /^([1-9]\d{0,8})(?:@(\d{1,8}))?$/.exec(window)
  if (!match) throw badWindow(window)
  return { window: Number(match[1]), nth: Number(match[2] ?? 0) }
}

/** What the options of `check` say of the run and of the analysis. */
export function settingsOf(args: Arguments) {
  const seconds = args.number('record-time')
  return {
    timers: args.word<Timers>('timers')!,
    include: args.list('include'),
    exclude: args.list('exclude'),
    detail: args.flag('detail'),
    branches: branchesOf(args),
    limitMs: seconds === undefined ? undefined : seconds * 1000,
    timeMs: args.number('time')! * 1000,
    replays: args.number('replays')!,
    maxFindings: args.number('max-findings')!,
    confirm: args.number('confirm')!,
  }
}
