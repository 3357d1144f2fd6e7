/**
 * From predictions to findings: replays each schedule once, and those that fail a few more times. Stops when the time, the number of replays or the
 * number of wanted findings is used up; predictions that were not replayed stay PREDICTED.
 */
import { isOver, mayTry, patience, type Budget } from './budget.ts'
import type { Cause } from './cause.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { BranchNote, OrderRow } from '../schedule/order.ts'
import { LoopView } from '../causal/loop/turns.ts'
import type { Picture } from '../picture/picture.ts'
import { ofThreads, type Schedule } from '../schedule/schedule.ts'
import { checkRun } from '../witness/loop/check.ts'
import { failsMoreOften, PLAIN_TO_JUDGE, type PlainRuns } from './determinism.ts'
import { outcomeOf, type Failure, type Outcome, type Watching } from './outcome.ts'
import type { Flip } from './branches.ts'
import { effectOf, worse, type Effect } from './effect.ts'
import { withOtherLine } from './flaky.ts'
import { replay, type Rerun, type ReplayRun } from './run.ts'
import type { SavedProperty } from '../schedule/saved.ts'

export type Status = 'FAILED' | 'REPRODUCED' | 'PREDICTED' | 'DIVERGED' | 'NOT REACHED' | 'TIMED OUT' | 'NEEDS DELAY' | 'IGNORED'

/** A prediction and what became of it. */
export interface Finding<P> {
  readonly prediction: P
  readonly status: Status
  readonly replays: { readonly runs: number; readonly failures: number }
  /** Of a failing replay, also when the status is not FAILED. */
  readonly failure: Failure | undefined
  /** What a failing replay violates, as it was seen. */
  readonly violation?: SeenViolation | undefined
  /** Did the predicted order come about in a replay that failed? If not the failure is real, and the explanation may be another. */
  readonly ordered: boolean
  /** Why it is what it is, where the status alone does not say. */
  readonly note: string | undefined
  /** A schedule of an earlier check, replayed first. */
  readonly earlier: boolean
  /** Branches that its replays took the other way, and what that did. */
  readonly flips?: readonly Flip[]
  readonly effect?: Effect
  /** The first line of output that differs from a plain run. */
  readonly printed?: Printed
  /** Of a branch: what the flip does (branch-findings.ts). */
  readonly branchClass?: BranchClass
  /** The recorded run and the failing one around the flip. */
  readonly picture?: Picture
  /** A failing run. */
  readonly failed?: FailedRun | undefined
  /** A replay that flipped a branch. */
  readonly flippedIn?: FailedRun | undefined
  /** How the cause was found, where it was looked for. */
  readonly cause?: Cause | undefined
  /** Other orders that make the program fail in the same way (group.ts). */
  readonly also?: readonly Finding<P>[]
}

/** What the flip of a branch does: docs/branches.md. In the order in which they are shown. */
export interface BranchClass {
  readonly class: 'harmful' | 'unclear' | 'ad hoc synchronization' | 'benign'
  /** A sentence. */
  readonly why: string
}

export interface Candidate<P> {
  readonly prediction: P
  readonly earlier: boolean
}

/** A line that a replay printed, and what a plain run printed in its place. */
export interface Printed {
  readonly now: string
  readonly was: string
}

export const NOT_ORDERED = 'The order shown did not happen in these replays: the delay alone made the program fail.'

/** Plain runs at most, where some of them fail, to tell how often. */
const PLAIN_AT_MOST = 10
/** Replays of a schedule then. Ten of ten are clearly more than six of ten. */
const HELD_AT_MOST = 10

interface Scheduled {
  readonly fingerprint: string
  readonly summary: string
  readonly property?: Pick<SavedProperty, 'name' | 'confirm' | 'recorded' | 'bothOrders'> | undefined
  readonly branch?: Pick<BranchNote, 'site' | 'kind'> | undefined
  readonly schedule: Schedule
  readonly loose?: Schedule | undefined
  readonly observed?: readonly OrderRow[]
  readonly failing?: readonly OrderRow[]
}

/** A run that failed, as far as a picture or the cause needs it. */
export interface FailedRun extends Pick<ReplayRun, 'loop' | 'threads' | 'crash' | 'uncaught'> {
  /** With all that a picture needs: memory, and steps of threads. */
  readonly isWhole?: boolean
}

interface Judged<P> {
  readonly finding: Finding<P>
  readonly failed?: FailedRun | undefined
}

export async function confirm<P extends Scheduled>(
  candidates: Iterator<Candidate<P>>,
  rerun: Rerun,
  budget: Budget,
  determinism: PlainRuns,
  onFinding: (finding: Finding<P>) => void,
): Promise<Finding<P>[]> {
  /** In the order of the candidates, whichever of them was done first. */
  const findings = new Map<number, Finding<P>>()
  const failed = new Set<string>()
  const failures = new Set<string>()
  /** Schedules of earlier checks come first, and what they show spares others. */
  const earlierOnes: Promise<unknown>[] = []
  /** By place in `findings`: runs of schedules of earlier checks, whose names are of another run. They are drawn when those of this run are known. */
  const undrawn = new Map<number, FailedRun | undefined>()
  const draw = (at: number, failed: FailedRun | undefined): void => {
    const finding = findings.get(at)!
    const { schedule, observed = [], failing = [] } = finding.prediction
    const picture = rerun.pictures?.of({ schedule, observed, failing }, failed)
    if (picture) findings.set(at, { ...finding, picture })
  }
  const note = (at: number, earlier: boolean, { finding, failed: run }: Judged<P>): void => {
    findings.set(at, finding)
    if (finding.status === 'FAILED') {
      failed.add(finding.prediction.fingerprint)
      failures.add(finding.failure!.shape)
      if (earlier) undrawn.set(at, run)
      else draw(at, run)
    }
    onFinding(finding)
  }
  let taken = 0
  const worker = async (): Promise<void> => {
    for (;;) {
      const next = candidates.next()
      if (next.done) return
      const at = taken++
      const { prediction, earlier } = next.value
      if (!earlier) await Promise.all(earlierOnes)
      if (failed.has(prediction.fingerprint)) {
        // It failed by a schedule of an earlier check. The names in it are of that run; those of this run are better known.
        for (const [of, run] of undrawn) {
          const known = findings.get(of)!
          if (known.prediction.fingerprint !== prediction.fingerprint) continue
          findings.set(of, { ...known, prediction: { ...prediction, schedule: known.prediction.schedule } })
          draw(of, run)
          undrawn.delete(of)
        }
        continue
      }
      const mayRun = mayTry(budget) && failures.size < budget.findings && !rerun.signal?.aborted
      const judged = mayRun ? judgeBoth(prediction, earlier, rerun, budget, determinism) : notRun(prediction, earlier)
      const noted = judged.then((one) => note(at, earlier, one))
      if (earlier) earlierOnes.push(noted)
      await noted
    }
  }
  await Promise.all(Array.from({ length: budget.atOnce }, worker))
  for (const [at, run] of undrawn) draw(at, run)
  return [...findings].sort(([a], [b]) => a - b).map(([, finding]) => finding)
}

const notRun = async <P>(prediction: P, earlier: boolean): Promise<Judged<P>> => ({
  finding: {
    prediction,
    earlier,
    status: 'PREDICTED',
    replays: { runs: 0, failures: 0 },
    failure: undefined,
    ordered: false,
    note: undefined,
  },
})

/** Where the program does not come to what the schedule names, the loose one may still catch it. */
async function judgeBoth<P extends Scheduled>(
  prediction: P,
  earlier: boolean,
  rerun: Rerun,
  budget: Budget,
  determinism: PlainRuns,
): Promise<Judged<P>> {
  const judged = await judge(prediction, earlier, rerun, budget, determinism)
  const missed = judged.finding.status === 'DIVERGED' || judged.finding.status === 'NOT REACHED'
  if (!missed || prediction.loose === undefined || budget.replaysLeft <= 0 || isOver(budget)) return judged
  const second = await judge({ ...prediction, schedule: prediction.loose }, earlier, rerun, budget, determinism)
  return second.finding.status === 'FAILED' ? second : judged
}

async function judge<P extends Scheduled>(
  prediction: P,
  earlier: boolean,
  rerun: Rerun,
  budget: Budget,
  determinism: PlainRuns,
): Promise<Judged<P>> {
  const { schedule } = prediction
  let runs = 0
  let failures = 0
  let failure: Failure | undefined
  let violation: SeenViolation | undefined
  let ordered = false
  let first: Outcome | undefined
  const flips = new Map<string, Flip>()
  let effect: Effect | undefined
  let printed: Printed | undefined
  let failed: FailedRun | undefined
  let flippedIn: FailedRun | undefined
  let mayDraw = rerun.pictures !== undefined
  const finding = (status: Status, note?: string): Judged<P> => ({
    finding: {
      prediction,
      earlier,
      status,
      replays: { runs, failures },
      failure,
      violation,
      ordered,
      note,
      ...(flips.size > 0 ? { flips: [...flips.values()] } : {}),
      ...(effect ? { effect } : {}),
      ...(printed ? { printed } : {}),
      ...(failed ? { failed } : {}),
      ...(flippedIn ? { flippedIn } : {}),
    },
    failed,
  })
  // What the recorded run showed already is known by definition.
  const known = prediction.property?.recorded ? undefined : determinism.violations
  const watching = { ...(known ? { known } : {}), ...watchingFor(prediction) }
  let most = budget.confirm
  do {
    const last = failures > 0 && (runs === budget.confirm - 1 || budget.replaysLeft === 1)
    const toDraw = last && mayDraw
    budget.replaysLeft--
    const run = await replay({ ...rerun, watchdogMs: Math.min(rerun.watchdogMs, patience(budget)) }, schedule, toDraw)
    budget.pace?.took(run.exit.ms)
    if (run.stopped === 'interrupted') return finding('PREDICTED')
    // There was no time to let it end: it says nothing.
    if (run.stopped === 'watchdog' && runs > 0 && performance.now() >= budget.deadline) break
    if (toDraw) {
      // Recording all of it may have changed the run. Then it does not count.
      mayDraw = false
      if (!failsAlike(outcomeOf(run, schedule, rerun.recording, watching), failure!)) continue
    }
    runs++
    // A schedule of threads leaves the loops to themselves, on real clocks.
    const broken = run.loop && !ofThreads(schedule) && checkRun(new LoopView(run.loop), schedule.timers)
    if (broken) return finding('DIVERGED', `This is a mistake in Heddle: the replay broke the rule "${broken.rule}". ${broken.sentence}`)
    let outcome = outcomeOf(run, schedule, rerun.recording, watching)
    if (outcome.result === 'failed' && determinism.runs < PLAIN_TO_JUDGE) {
      // Now it matters what the program does by itself, and what it violates then. That is worth the time.
      if (budget.pace) budget.failed?.()
      await determinism.toJudge(budget)
      outcome = outcomeOf(run, schedule, rerun.recording, watching)
    }
    if (outcome.result === 'failed') budget.failed?.()
    first ??= outcome
    for (const flip of run.flips) flips.set(`${flip.site} ${flip.kind}`, flip)
    if (run.flips.length > 0) flippedIn ??= { loop: run.loop, threads: run.threads, crash: run.crash, uncaught: run.uncaught }
    if (rerun.paths) {
      effect = worse(effect, effectOf(run, outcome, determinism))
      const other = determinism.otherLineOf(run.stdout)
      if (other) printed ??= { now: other.failed, was: other.passed }
    }
    if (outcome.result === 'failed') {
      failure ??= withOtherLine(outcome.failure, determinism.otherLineOf(run.stdout))
      violation ??= outcome.violation
      ordered ||= outcome.ordered
      if (determinism.shapes.has(outcome.failure.shape) && determinism.failed === determinism.runs)
        return finding('REPRODUCED', 'The program fails like this without any delay, too.')
      if (saysTimedOut(schedule, outcome.failure))
        return finding('REPRODUCED', 'The program notices that the wait has timed out, and says so: that is no failure.')
      failures++
      failed = { loop: run.loop, threads: run.threads, crash: run.crash, uncaught: run.uncaught, isWhole: toDraw }
    }
    if (runs === budget.confirm && failures > 0 && !ofThreads(schedule)) most = await enough({ runs, failures }, determinism, budget)
  } while (failures > 0 && runs < most && budget.replaysLeft > 0 && performance.now() < budget.deadline && !rerun.signal?.aborted)
  if (failures === 0 && first !== undefined) return finding(statusOf(first), 'why' in first ? first.why : undefined)
  // Which thread is quicker is chance in a plain run: one that fails now and then, and always under the schedule, fails because of the order.
  const byChance = ofThreads(schedule) && determinism.failed > 0 && determinism.failed < determinism.runs
  // Where the plain run that failed did so in the same way, it met the same order.
  if (byChance && failures === runs && (ordered || determinism.shapes.has(failure!.shape)))
    return finding('FAILED', `Without any delay it failed in ${determinism.failed} of ${determinism.runs} runs.`)
  if (determinism.failed > 0) {
    await determinism.upTo(PLAIN_AT_MOST, budget)
    const rates = `It failed in ${failures} of ${runs} replays of this schedule, and in ${determinism.failed} of ${determinism.runs} runs without delays.`
    return finding(failsMoreOften({ runs, failures }, determinism) ? 'FAILED' : 'REPRODUCED', rates)
  }
  if (determinism.differed.length > 0) return finding('REPRODUCED', 'It failed, but runs without any delay differ, too.')
  if (failures * 2 <= runs) return finding('REPRODUCED', `It failed in ${failures} of ${runs} replays, which is not most of them.`)
  return finding('FAILED', ordered ? undefined : NOT_ORDERED)
}

/**
 * Replays of a schedule that it takes to judge it. One that does not fail each time may have nothing to do with it, so it matters more what the program does by itself; one that
 * does, in a program that fails by itself now and then, is replayed until it cannot be chance.
 */
async function enough(held: { runs: number; failures: number }, determinism: PlainRuns, budget: Budget): Promise<number> {
  if (held.failures < held.runs || determinism.failed > 0) await determinism.upTo(PLAIN_AT_MOST, budget)
  const isOpen = held.failures === held.runs && determinism.failed > 0 && determinism.failed < determinism.runs
  return isOpen && !failsMoreOften(held, determinism) ? Math.max(HELD_AT_MOST, held.runs) : held.runs
}

const failsAlike = (outcome: Outcome, { shape }: Failure): boolean => outcome.result === 'failed' && outcome.failure.shape === shape

/** What a replay of this prediction is looked at for. */
export const watchingFor = ({ property, branch, summary }: Pick<Scheduled, 'property' | 'branch' | 'summary'>): Watching => ({
  property: property?.name,
  ...(branch ? { branch } : {}),
  ...(property?.bothOrders && property.confirm === 'violation' ? { bothOrders: summary } : {}),
})

/** A wait was made to time out, and what the program then says is just that. Names of files say nothing. */
function saysTimedOut(schedule: Schedule, { message, detail }: Failure): boolean {
  const timesOut = schedule.kind === 'steps' && schedule.steps.some((step) => step.timesOut)
  const said = `${message}\n${detail.slice(0, 3).join('\n')}`.replaceAll(/\S*\/\S*/g, '')
  return timesOut && /\btime(d|s)?[ -]?out\b/i.test(said)
}

function statusOf({ result }: Outcome): Status {
  switch (result) {
    case 'failed':
      return 'FAILED'
    case 'reproduced':
      return 'REPRODUCED'
    case 'diverged':
      return 'DIVERGED'
    case 'not reached':
      return 'NOT REACHED'
    case 'timed out':
      return 'TIMED OUT'
  }
}
