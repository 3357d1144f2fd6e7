/** What a replay shows: did the program fail, did it run in the predicted order, and if not, at which step it departed from it. */
import type { Recording } from '../frontends/contract.ts'
import { howItEnded } from '../process/recorded.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { BranchNote } from '../schedule/order.ts'
import { instructionsOf, type Schedule, type StepSchedule, type ThreadStep, type UnitName } from '../schedule/schedule.ts'
import { DISPATCH } from '../trace/ops.ts'
import type { Trace } from '../trace/trace.ts'
import type { ReplayRun } from './run.ts'

export interface Failure {
  readonly how: 'exception' | 'rejection' | 'test' | 'exit code' | 'signal' | 'hang' | 'violation'
  /** The message of the error; for the others a sentence. */
  readonly message: string
  /** Lines of the stack, or the last lines the program printed. */
  readonly detail: readonly string[]
  /** The same for the same failure, whatever numbers, ports and temporary names its message has. */
  readonly shape: string
}

export type Outcome =
  /** `ordered`: the predicted order came about; if not, the instructions alone were enough. */
  | {
      readonly result: 'failed'
      readonly failure: Failure
      readonly ordered: boolean
      /** The property that explains it, or that is the failure itself. */
      readonly violation?: SeenViolation | undefined
    }
  /** The order came about and nothing visible broke. */
  | { readonly result: 'reproduced' }
  /** The program went another way. `step` counts instructions, or lines of threads, from 1. */
  | { readonly result: 'diverged'; readonly step: number; readonly why: string }
  /** An instruction was given up: what it waited for did not come. */
  | { readonly result: 'not reached'; readonly step: number; readonly why: string }
  | { readonly result: 'timed out'; readonly why: string }

const GAVE_UP = {
  horizon: 'what it waited for would only come later than predicted',
  idle: 'nothing else could run any more',
  exit: 'the program was ending',
}
/** Of a stack, or of what was printed. */
export const MOST_LINES = 12

/** How a run failed, or undefined when it ended as the recorded one did. */
export function failureOf(run: ReplayRun, recording: Pick<Recording, 'stopped' | 'expectExit'>): Failure | undefined {
  const { exit, stopped, uncaught, waiting } = run
  // One that had to be stopped may fail because of that.
  if (uncaught && stopped !== 'watchdog') return failureWith(uncaught.kind, uncaught.message, uncaught.stack.slice(0, MOST_LINES))
  // A recorded run that had to be stopped did not end either.
  if (stopped === 'stuck' && !recording.stopped) {
    if (waiting.length > 0) return failureWith('hang', `The program never ends: ${waiting[0]!.replace(/\.$/, '')}.`, waiting)
    return failureWith('hang', 'The program never ends: nothing in it can run any more.', lastLines(run))
  }
  if (stopped !== undefined) return undefined
  if (exit.signal) {
    const { crash } = run
    const where = crash ? [`in ${crash.task}`, ...crash.stack.slice(0, MOST_LINES).map((frame) => `at ${frame}`)] : []
    return failureWith('signal', sentence(howItEnded(exit)), [...lastLines(run), ...where])
  }
  if (exit.code !== (recording.expectExit ?? 0)) return failureWith('exit code', sentence(howItEnded(exit)), lastLines(run))
  return undefined
}

/** What a replay is looked at for, besides its end. */
export interface Watching {
  /** Shapes of violations that runs show without any schedule. */
  readonly known?: ReadonlySet<string>
  /** The property the schedule was made for. */
  readonly property?: string | undefined
  /** The sentence of a property that this order, together with the recorded one, shows. */
  readonly bothOrders?: string | undefined
  /** The branch that is to go the other way. */
  readonly branch?: Pick<BranchNote, 'site' | 'kind'> | undefined
}

/** Did the branch go the other way? */
const flips = (run: ReplayRun, { branch }: Watching): boolean =>
  branch === undefined || run.flips.some(({ site, kind }) => site === branch.site && kind === branch.kind)

const NOT_FLIPPED = 'The order was reached, but the branch went as recorded.'

export function outcomeOf(
  run: ReplayRun,
  schedule: Schedule,
  recording: Pick<Recording, 'stopped' | 'expectExit'>,
  watching: Watching = {},
): Outcome {
  const violation = violationOf(run, watching)
  if (schedule.kind === 'steps') return outcomeOfSteps(run, schedule.steps, recording, violation, watching)
  const { notes } = run
  const instructions = instructionsOf(schedule)
  // A plain schedule is one for what the recorded run showed.
  const carriedOut = instructions.length === 0 || notes.some((note) => note.did === 'held' || note.did === 'stalled')
  const failure = failureWithout(run, recording, violation)
  // Without an instruction carried out it was a plain run: its failure is not this schedule's.
  const cameAbout = cameAboutIn(run, schedule)
  const ordered = cameAbout || (violation !== undefined && violation.property === watching.property)
  if (failure && carriedOut) return { result: 'failed', failure, ordered, violation }
  if (cameAbout && carriedOut && watching.bothOrders !== undefined)
    return { result: 'failed', failure: bothOrders(watching.bothOrders, watching.property), ordered }
  if (run.stopped === 'watchdog' && !recording.stopped)
    return { result: 'timed out', why: `It did not end within ${seconds(run.exit.ms)}.` }
  if (watching.branch ? flips(run, watching) : ordered) return { result: 'reproduced' }
  const gaveUp = notes.find((note) => note.did === 'gave up')
  if (gaveUp?.did === 'gave up')
    return {
      result: 'not reached',
      step: gaveUp.step + 1,
      why: `${noteOf(schedule, gaveUp.step)} was delayed and then let go: ${GAVE_UP[gaveUp.why]}.`,
    }
  const missing = instructions.findIndex((_, step) => !notes.some((note) => note.step === step && note.did !== 'released'))
  if (missing >= 0) return { result: 'diverged', step: missing + 1, why: `${noteOf(schedule, missing)} did not happen in this run.` }
  return {
    result: 'diverged',
    step: instructions.length,
    why: ordered ? NOT_FLIPPED : 'Every instruction was carried out, but the order did not happen.',
  }
}

/** Of a loop the order of its turns tells. Of threads held at places: who was held has seen the other one pass. */
function cameAboutIn({ loop, notes }: ReplayRun, schedule: Exclude<Schedule, StepSchedule>): boolean {
  if (schedule.kind === 'holds') return notes.some((note) => note.did === 'released')
  return schedule.kind === 'delays' && loop !== undefined && isFirst(loop, schedule.expect.first, schedule.expect.then)
}

/** The order came about when every line was carried out; the trace of a loop says nothing about it. */
function outcomeOfSteps(
  run: ReplayRun,
  steps: readonly ThreadStep[],
  recording: Pick<Recording, 'stopped' | 'expectExit'>,
  violation: SeenViolation | undefined,
  watching: Watching,
): Outcome {
  const done = run.steps?.done ?? 0
  const failure = failureWithout(run, recording, violation)
  const ordered = done >= steps.length
  // Where there are no lines, a rule says who goes on.
  if (failure && (done > 0 || steps.length === 0)) return { result: 'failed', failure, ordered, violation }
  if (ordered && watching.bothOrders !== undefined)
    return {
      result: 'failed',
      failure: bothOrders(watching.bothOrders, watching.property, 'Every step was taken in the order that shows it.'),
      ordered,
    }
  if (run.stopped === 'watchdog' && !recording.stopped)
    return { result: 'timed out', why: `It did not end within ${seconds(run.exit.ms)}.` }
  if (watching.branch ? flips(run, watching) : ordered) return { result: 'reproduced' }
  if (ordered) return { result: 'diverged', step: steps.length, why: NOT_FLIPPED }
  const gaveUp = run.steps?.gaveUp
  const missing = steps[done]
  const why =
    gaveUp?.why ?? (missing === undefined ? 'The threads of the schedule did not start.' : `It ended before this: ${missing.note}.`)
  return { result: 'diverged', step: done + 1, why }
}

/** Of what the run newly violates: the property that was predicted, else one that is a failure by itself, else one that may explain it. */
function violationOf({ violations }: ReplayRun, { known, property }: Watching): SeenViolation | undefined {
  const fresh = violations.filter((v) => !known?.has(v.shape))
  return fresh.find((v) => v.property === property) ?? fresh.find((v) => v.confirm === 'violation') ?? fresh[0]
}

/** How the program failed; where it did not, the violation is the failure, if it is one by itself. */
function failureWithout(
  run: ReplayRun,
  recording: Pick<Recording, 'stopped' | 'expectExit'>,
  violation: SeenViolation | undefined,
): Failure | undefined {
  const failure = failureOf(run, recording)
  if (failure || violation?.confirm !== 'violation') return failure
  return { how: 'violation', message: violation.says, detail: [], shape: `violation: ${violation.shape}` }
}

const bothOrders = (
  says: string,
  property: string | undefined,
  how = 'The recorded run has the two in one order, this one in the other.',
): Failure => ({
  how: 'violation',
  message: says,
  detail: [how],
  shape: `violation: ${property}`,
})

function failureWith(how: Failure['how'], said: string, detail: readonly string[]): Failure {
  // The engine quotes what is called, our hooks too: in its own words, for what has no name.
  const message = said.replaceAll(/\$hd\w*\.\w+\(\.\.\.\)/g, '(intermediate value)')
  // An exit code says little: what the program said last tells one from another.
  const last = how === 'exit code' ? (detail.at(-1) ?? '') : ''
  const plain = `${message.split('\n')[0]!}${last}`.replaceAll(/(['"`])(?:\/|[A-Za-z]:\\)[^'"`]*\1/g, 'PATH').replaceAll(/\d+/g, 'N')
  return { how, message, detail, shape: `${how}: ${plain}` }
}

/** Did turn `first` run before turn `then`? The second may not have run at all. */
function isFirst(trace: Trace, first: UnitName, then: UnitName): boolean {
  let seenFirst = 0
  let seenThen = 0
  for (const e of trace.recordedOrder()) {
    if (trace.op[e] !== DISPATCH) continue
    const label = trace.tables.values.textOf(trace.value[e]!).replace(/^#/, '')
    if (label === first.label && ++seenFirst === first.nth) return true
    if (label === then.label && ++seenThen === then.nth) return false
  }
  return false
}

const noteOf = (schedule: Schedule, step: number): string => instructionsOf(schedule)[step]?.note ?? `instruction ${step + 1}`
const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`

function lastLines({ stdout, stderr }: ReplayRun): string[] {
  const lines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const said = lines(stderr)
  return (said.length > 0 ? said : lines(stdout)).slice(-MOST_LINES)
}
