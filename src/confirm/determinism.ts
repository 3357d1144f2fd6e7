/**
 * Does the program behave the same every time? Replayed without delays it has to end as the recorded run did. If it does not, the report says so
 * first, and a failure under a schedule counts only if it is clearly more frequent.
 */
import { LoopView } from '../causal/loop/turns.ts'
import { howItEnded } from '../process/recorded.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { Budget } from './budget.ts'
import { failureOf, type Failure } from './outcome.ts'
import type { Flip } from './branches.ts'
import { plainSchedule } from '../schedule/schedule.ts'
import { firstDifference } from './first-difference.ts'
import { firstOtherLine, type OtherLine } from './other-line.ts'
import { replay, runAlone, type ReplayRun, type Rerun } from './run.ts'

export interface Determinism {
  readonly runs: number
  /** How runs that differed from the recorded one ended, one sentence each. */
  readonly differed: readonly string[]
  /** How many of them failed. */
  readonly failed: number
  /** How the first of them did that failed. */
  readonly failure?: Failure | undefined
  /** Where all of them failed: how one run without Heddle ended, in half a sentence; empty if it passed. Left out where there was none. */
  readonly alone?: string | undefined
  /** The first line that a run printed that failed, and one that passed did not. */
  readonly otherLine?: OtherLine | undefined
  /** How many of them went another way than the recorded one, whether that did any harm or not. */
  readonly apart: number
  /** Where runs went another way than the recorded one, whether that did any harm or not. A sentence each. */
  readonly wentApart: readonly string[]
  /** The shapes of their failures: no finding is counted for these. */
  readonly shapes: ReadonlySet<string>
  /** The shapes of what they, or the recorded run, violate: nor for these. */
  readonly violations: ReadonlySet<string>
  /** What they printed on standard output. */
  readonly outputs: readonly string[]
  /** Branches they took differently than the recorded run, without delays. */
  readonly flips: readonly Flip[]
}

/** To see whether the program varies. */
export const PLAIN_FIRST = 1
/** Where something fails: what does so by itself now and then is not the fault of a schedule. */
export const PLAIN_TO_JUDGE = 2
/** Where all of them end differently: one that does so every other time is not to be taken for one that always does. */
export const PLAIN_WHERE_ALL_FAIL = 4

/** Plain runs, as many as were asked for so far. */
export class PlainRuns implements Determinism {
  runs = 0
  failed = 0
  apart = 0
  failure: Failure | undefined
  alone: string | undefined
  readonly differed: string[] = []
  readonly wentApart: string[] = []
  readonly shapes = new Set<string>()
  readonly violations: Set<string>
  readonly outputs: string[] = []
  readonly flips: Flip[] = []
  /** What one printed that passed, and the first one that failed. */
  private said: { passed?: string; failed?: string } = {}
  private unlike = 0
  private longest = 0
  private last = Promise.resolve()
  private recordedLoop: LoopView | undefined
  private judging: Promise<void> | undefined

  /** `recorded`: what the recorded run violates. */
  constructor(
    private readonly rerun: Rerun,
    private readonly recorded: readonly SeenViolation[] = [],
  ) {
    this.violations = new Set(recorded.map((v) => v.shape))
  }

  /** One of them at least ended as the recorded run did. */
  get endedWell(): boolean {
    return this.unlike < this.runs || this.runs === 0
  }

  get otherLine(): OtherLine | undefined {
    const { passed, failed } = this.said
    return passed === undefined || failed === undefined ? undefined : firstOtherLine(failed, passed)
  }

  /** How what failed differs in what it printed from a run that passed. */
  otherLineOf(stdout: string): OtherLine | undefined {
    return this.said.passed === undefined ? undefined : firstOtherLine(stdout, this.said.passed)
  }

  /** Runs of the same program elsewhere count, too. */
  add(others: PlainRuns): void {
    this.runs += others.runs
    this.failed += others.failed
    this.apart += others.apart
    this.unlike += others.unlike
    this.failure ??= others.failure
    this.said = { ...others.said, ...this.said }
    for (const shape of others.shapes) this.shapes.add(shape)
    for (const violation of others.violations) this.violations.add(violation)
    this.outputs.push(...others.outputs)
    this.flips.push(...others.flips)
    this.differed.push(...others.differed.filter((how) => !this.differed.includes(how)))
    this.wentApart.push(...others.wentApart.filter((where) => !this.wentApart.includes(where)))
  }

  /** Runs it until it has run so often, as far as the budget goes. Two replays that fail at the same time ask for the same runs. */
  upTo(most: number, budget: Pick<Budget, 'deadline' | 'replaysLeft'>): Promise<void> {
    return (this.last = this.last.then(() => this.run(most, budget)))
  }

  /** A replay of a schedule failed: now it matters what the program does by itself. Where there was no time for that before, all of it is done now. */
  toJudge(budget: Pick<Budget, 'deadline' | 'replaysLeft'>): Promise<void> {
    if (this.runs > 0 && !this.judging) return this.upTo(PLAIN_TO_JUDGE, budget)
    return (this.judging ??= this.settle(PLAIN_TO_JUDGE, budget).then(() => this.decide(budget)))
  }

  /** If it always ends differently in a view of its own, and never without one, it is the view. A few runs of each: what fails every other time does so by chance, too. */
  async settle(first: number, budget: Pick<Budget, 'deadline' | 'replaysLeft'>): Promise<void> {
    const { isolation, signal } = this.rerun
    await this.upTo(first, budget)
    // Does it always end like this, or now and then?
    if (this.differed.length > 0) await this.upTo(PLAIN_TO_JUDGE, budget)
    if (this.endedWell) return
    await this.upTo(PLAIN_WHERE_ALL_FAIL, budget)
    if (this.endedWell || !isolation?.mayGiveUp || budget.replaysLeft < PLAIN_WHERE_ALL_FAIL || signal?.aborted) return
    const goBack = isolation.giveUp(this.differed[0]!)
    const without = new PlainRuns(this.rerun, this.recorded)
    await without.upTo(PLAIN_WHERE_ALL_FAIL, budget)
    if (without.differed.length === 0) return this.become(without)
    goBack()
    this.add(without)
  }

  /** What was before does not count. */
  private become(others: PlainRuns): void {
    this.runs = this.failed = this.apart = this.unlike = 0
    this.failure = undefined
    this.said = {}
    for (const list of [this.differed, this.wentApart, this.outputs, this.flips]) list.length = 0
    this.shapes.clear()
    this.violations.clear()
    this.add(others)
  }

  /** All of them failed, and the recorded run passed. Is that the program, or what replays are like? It is run once without Heddle. */
  async decide(budget: Pick<Budget, 'deadline' | 'replaysLeft'>): Promise<void> {
    const { program, tests, signal } = this.rerun
    if (program.alone === undefined || tests || this.failed === 0 || this.failed < this.runs || budget.replaysLeft === 0) return
    if (signal?.aborted || performance.now() + this.longest > budget.deadline) return
    budget.replaysLeft--
    const alone = await runAlone(this.rerun, program.alone.bind(program))
    this.alone = alone.failed ?? ''
    if (alone.failed === undefined) this.said.passed ??= alone.stdout
  }

  private async run(wanted: number, budget: Pick<Budget, 'deadline' | 'replaysLeft'>): Promise<void> {
    const { rerun } = this
    const { deadline } = budget
    const most = Math.min(wanted, this.runs + budget.replaysLeft)
    while (this.runs < most && !rerun.signal?.aborted && (this.runs === 0 || performance.now() + this.longest < deadline)) {
      const left = Math.max(1000, deadline - performance.now())
      const run = await replay({ ...rerun, watchdogMs: Math.min(rerun.watchdogMs, left) }, plainSchedule(rerun.recording))
      if (run.stopped === 'interrupted') break
      budget.replaysLeft--
      // The time of the check was over, not that of the program: nobody knows how it would have ended.
      if (run.stopped === 'watchdog' && left < rerun.watchdogMs) break
      this.count(run)
    }
  }

  private count(run: ReplayRun): void {
    const { rerun } = this
    this.runs++
    this.longest = Math.max(this.longest, run.exit.ms)
    const failure = failureOf(run, rerun.recording)
    if (failure) {
      this.failure ??= failure
      this.shapes.add(failure.shape)
      this.failed++
      this.said.failed ??= run.stdout
    }
    this.outputs.push(run.stdout)
    this.flips.push(...run.flips)
    for (const violation of run.violations) this.violations.add(violation.shape)
    const recorded = rerun.run?.loop
    this.recordedLoop ??= recorded && new LoopView(recorded)
    const isCut = rerun.recording.stopped || recorded?.facts.truncated !== undefined
    const apart = firstDifference(this.recordedLoop, run.loop && new LoopView(run.loop), isCut)
    if (apart !== undefined) this.apart++
    if (apart !== undefined && !this.wentApart.includes(apart)) {
      // Where one failed is of more interest.
      if (failure) this.wentApart.unshift(apart)
      else this.wentApart.push(apart)
    }
    const how = differenceOf(run, rerun, failure !== undefined)
    if (how === undefined) this.said.passed ??= run.stdout
    else this.unlike++
    if (how !== undefined && !this.differed.includes(how)) this.differed.push(how)
  }
}

function differenceOf(run: ReplayRun, { recording }: Rerun, failed: boolean): string | undefined {
  if (run.stopped === 'stuck' && failed) return 'it never ended'
  if (run.stopped === 'watchdog') return recording.stopped ? undefined : `it had not ended after ${Math.round(run.exit.ms / 1000)} s`
  if (failed) return howItEnded(run.exit, run.uncaught?.message)
  return undefined
}

const OFTEN_ENOUGH = 0.05

/**
 * Is it by the schedule that a program fails, which fails by itself now and then? Fisher's exact test, one-sided: how likely so many of the failures would fall on
 * the replays of the schedule if it made no difference.
 */
export function failsMoreOften(held: { runs: number; failures: number }, plain: { runs: number; failed: number }): boolean {
  const all = held.runs + plain.runs
  const failures = held.failures + plain.failed
  let chance = 0
  for (let k = held.failures; k <= Math.min(held.runs, failures); k++)
    chance += Math.exp(choose(held.runs, k) + choose(plain.runs, failures - k) - choose(all, failures))
  return chance <= OFTEN_ENOUGH
}

/** The logarithm of n over k. */
function choose(n: number, k: number): number {
  if (k < 0 || k > n) return -Infinity
  let sum = 0
  for (let i = 1; i <= k; i++) sum += Math.log(n - k + i) - Math.log(i)
  return sum
}
