/**
 * Propose, decide, check for threads that share memory: predictions in the order in which they are worth replaying, each with a schedule of steps.
 * Decided lazily, under the model `maximal`. First one of every cause, then others of the same causes (`again`): a replay of the first may
 * show nothing where one of the fifth round of a loop does, or where the threads go on in another order afterwards.
 *
 * The trace is looked at twice where it has locks made by hand: with them as locks, and, only for what becomes of who finds one taken, as recorded.
 * Of a long trace the beginning is looked at first (beginning.ts), then the whole, if there is time for it.
 */
import { withMadeLocks, type MadeLocks } from '../../causal/made-locks.ts'
import { isRead } from '../../trace/ops.ts'
import type { Trace } from '../../trace/trace.ts'
import { beginningOf } from './beginning.ts'
import { Finder } from './finder.ts'
import { Looking, type Bounds, type Part } from './looking.ts'
import { CountedNumbers, Numbering, type Numbers } from './numbering.ts'
import { newThreadCoverage, type ThreadCoverage, type ThreadOptions, type ThreadPrediction } from './prediction.ts'
import { spunLocks } from './spins.ts'
import { Steps } from './steps.ts'

export * from './prediction.ts'

/** Predictions of one cause. */
const ROUNDS = 10
/** Longer traces are looked at once. */
const MOST_TWICE = 2_000_000
/** Of longer traces the beginning is looked at first: so many events. */
const LONG = 500_000
const BEGINNING = 250_000

/** `stepOf`: for every event the step of its thread. */
export function* predictThreads(trace: Trace, stepOf: Int32Array, options: ThreadOptions): Generator<ThreadPrediction, void, undefined> {
  const coverage = options.coverage ?? newThreadCoverage()
  const deadline = options.deadline ?? Infinity
  const limit = options.limit ?? Infinity
  let count = 0
  const bounds: Bounds = {
    late: () => performance.now() > deadline,
    over: () => count >= limit || performance.now() > deadline,
    given: new Set(),
  }
  const parts = new Parts(trace, stepOf, options, coverage)
  const events = options.beginning ?? (trace.eventCount > LONG ? BEGINNING : Infinity)
  const start = performance.now()
  const cut = parts.ofBeginning(events)
  if (cut) {
    const before = { ...coverage }
    const looking = new Looking(cut, coverage, bounds)
    // The whole takes longer, in the proportion of their lengths.
    const needed = ((performance.now() - start) * trace.eventCount) / events
    const rest = (): boolean => !bounds.over() && performance.now() + needed <= deadline
    for (let round = 0; round < ROUNDS && (round === 0 || !rest()); round++) {
      for (const prediction of looking.round(round)) {
        count++
        yield prediction
      }
      if (looking.done) break
    }
    if (!rest()) {
      coverage.notLookedAt++ // all that comes later
      return
    }
    // What the beginning could not answer is asked again.
    const { pairs, causes, unknown, grouped, notLookedAt } = before
    Object.assign(coverage, { pairs, causes, unknown, grouped, notLookedAt })
  }
  const looking = new Looking(parts.ofWhole(), coverage, bounds)
  const firsts: ThreadPrediction[] = []
  try {
    for (let round = 0; round < ROUNDS && !looking.done; round++) {
      for (const prediction of looking.round(round)) {
        count++
        if (round === 0) firsts.push(prediction)
        yield prediction
      }
      if (round !== 1 && !looking.done) continue
      // The same orders, and after them the threads go on in another one.
      for (const prediction of firsts.splice(0)) {
        if (bounds.over()) break
        count++
        yield { ...prediction, again: true, schedule: { ...prediction.schedule, lastFirst: true } }
      }
    }
  } finally {
    looking.countSettled()
  }
}

/** The trace with locks made by hand as locks, and as recorded for what is about these locks. */
class Parts {
  private readonly steps: Steps
  private readonly made: MadeLocks
  private readonly sleeps: readonly string[]
  private readonly schedules = new Set<string>()
  private readonly numberings: readonly [Numbers, Numbers]

  constructor(
    private readonly trace: Trace,
    private readonly stepOf: Int32Array,
    private readonly options: ThreadOptions,
    private readonly coverage: ThreadCoverage,
  ) {
    const steps = (this.steps = new Steps(trace, stepOf, options.vocabulary))
    const spun = options.vocabulary.countsAll ? spunLocks(steps) : undefined
    const made = (this.made = spun?.made ?? withMadeLocks(trace, stepOf))
    coverage.threads = trace.taskCount
    for (let t = 0; t < trace.taskCount; t++) coverage.steps += steps.count(t)
    coverage.cells = trace.tables.locations.size
    coverage.locks = made.locks.length
    for (const lock of made.plain)
      options.onNote?.(
        `Lock ${lock} is made free by a plain write. Where the next one takes it ${options.vocabulary.words.atomically}, the language calls that a race.`,
      )
    this.sleeps = steps.sleeps()
    const none = trace.tables.tasks
    this.numberings = spun
      ? [new CountedNumbers(spun.gone), new CountedNumbers(Array.from(none, () => ({ step: [], count: [] })))]
      : [new Numbering(steps, made.trace, made.stepOf), new Numbering(steps, trace, stepOf)]
  }

  ofWhole(): Part[] {
    const { made, trace, stepOf, coverage } = this
    const parts: Part[] = [{ finder: this.finder(made, this.numberings[0], true) }]
    if (made.locks.length === 0) return parts
    if (trace.eventCount <= MOST_TWICE)
      parts.push({ finder: this.finder({ trace, stepOf }, this.numberings[1], true), only: new Set(made.locks) })
    else coverage.notLookedAt += made.locks.length
    return parts
  }

  /** undefined where the trace is no longer than that, or has no beginning. */
  ofBeginning(events: number): Part[] | undefined {
    const { made, trace, stepOf } = this
    const beginning = beginningOf(made.trace, made.stepOf, events)
    if (!beginning) return undefined
    const parts: Part[] = [{ finder: this.finder(beginning, this.numberings[0], false), beginning }]
    const asRecorded = made.locks.length === 0 ? undefined : beginningOf(trace, stepOf, events)
    if (asRecorded)
      parts.push({ finder: this.finder(asRecorded, this.numberings[1], false), only: new Set(made.locks), beginning: asRecorded })
    return parts
  }

  private finder({ trace, stepOf }: { trace: Trace; stepOf: Int32Array }, numbering: Numbers, isWhole: boolean): Finder {
    const { steps, sleeps, options, coverage, schedules } = this
    const free = options.free && freeIn(trace, stepOf, steps, options.free)
    return new Finder({ trace, stepOf, steps, numbering, sleeps, isWhole, free }, options, coverage, schedules)
  }
}

/** Reads of a trace in which some steps are missing or have become locks: those are free whose step reads nothing that is not. */
function freeIn(trace: Trace, stepOf: Int32Array, recorded: Steps, free: Uint8Array): Uint8Array {
  if (trace === recorded.trace) return free
  const bound = Array.from({ length: recorded.trace.taskCount }, () => new Set<number>())
  for (let t = 0; t < bound.length; t++) {
    for (let e = recorded.trace.taskStart[t]!; e < recorded.trace.taskStart[t + 1]!; e++)
      if (isRead(recorded.trace.op[e]!) && free[e] === 0) bound[t]!.add(recorded.stepOf[e]!)
  }
  const here = new Uint8Array(trace.eventCount)
  for (let t = 0; t < trace.taskCount; t++) {
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++)
      if (isRead(trace.op[e]!) && t < bound.length && !bound[t]!.has(stepOf[e]!)) here[e] = 1
  }
  return here
}
