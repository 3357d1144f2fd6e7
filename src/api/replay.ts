/** `replay` of the library: the program again, under the schedule of a finding. */
import { FRONT_ENDS } from '../frontends/all.ts'
import { parsedFinding, needFinding, type Found } from '../confirm/find-finding.ts'
import { replayAgain } from '../confirm/again.ts'
import { mayRun } from '../confirm/may-run.ts'
import { Isolation, type Isolate } from '../isolate/isolation.ts'
import type { CheckSettings } from '../options/settings.ts'
import type { Outcome } from '../confirm/outcome.ts'
import type { Saved } from '../schedule/saved.ts'
import type { FindingDocument } from '../report/document.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { argumentsOf, folderOf, never, untilAborted, type CallOptions } from './options.ts'

export interface ReplayOptions extends CallOptions {
  /** How often. */
  runs?: number | undefined
  /** Once, with Node's debugger waiting at the first line. */
  inspect?: boolean | undefined
  /** Run the command of the schedule though it was not recorded on this machine. Look at it first: a file may name any command. */
  yes?: boolean | undefined
  /** What each replay has of its own: `files`, `network`, both, or `none`. Left out, files where that can be done. */
  isolate?: CheckSettings['isolate']
  /** A shell command to run before every replay, and one to run after. */
  beforeEach?: string | undefined
  afterEach?: string | undefined
  /** After each replay; the next one waits for it. `nth` counts from 1. */
  onOutcome?: ((outcome: Outcome, nth: number) => Promise<void> | void) | undefined
}

export interface ReplayResult {
  /** One for each replay. */
  readonly outcomes: readonly Outcome[]
  /** How many of them failed. */
  readonly failures: number
  /** What was predicted, in one sentence. */
  readonly summary: string
  readonly schedule: Schedule
}

/** The id of a finding (its first digits do), a file of `.heddle/schedules`, a finding of a document, or a schedule. */
export async function replay(what: string | FindingDocument | Saved | Schedule, options: ReplayOptions = {}): Promise<ReplayResult> {
  const { cwd: given, signal = never(), onOutcome = () => {}, ...values } = options
  return untilAborted(signal, async () => {
    const cwd = folderOf(given)
    const args = argumentsOf('replay', values, cwd)
    const { finding, recording }: Found = typeof what === 'string' ? needFinding(what, cwd) : parsedFinding(what, cwd)
    await mayRun(finding.prediction.schedule.command, cwd, { yes: args.flag('yes'), command: [] })
    const outcomes = await replayAgain(finding.prediction, recording, {
      frontEnds: FRONT_ENDS,
      cwd,
      runs: args.number('runs')!,
      inspect: args.flag('inspect'),
      signal,
      isolation: new Isolation(args.words<Isolate>('isolate'), cwd),
      hooks: { beforeEach: args.word('before-each'), afterEach: args.word('after-each') },
      onOutcome: (outcome, nth) => onOutcome(outcome, nth),
    })
    const { summary, schedule } = finding.prediction
    return { outcomes, failures: outcomes.filter((outcome) => outcome.result === 'failed').length, summary, schedule }
  })
}
