/**
 * Propose, decide, check for threads that share memory: predictions in the order in which they are worth replaying, each with a schedule of steps.
 * Decided lazily, under the model `maximal`. First one prediction for every cause, then others of the same causes (`again`): a replay of the first
 * may show nothing where one of the fifth iteration of a loop does, or where the threads continue in another order afterwards.
 *
 * A trace with locks made by hand is searched twice: with them as locks, and then as recorded, only for what a thread does that finds the lock taken.
 * Of a long trace the beginning is searched first (beginning.ts), then the whole, if there is time.
 */
import { withMadeLocks, type MadeLocks } from '../../causal/made-locks.ts'
import { isRead } from '../../trace/ops.ts'
import type { Trace } from '../../trace/trace.ts'
import { beginningOf } from './beginning.ts'
import { Finder } from './finder.ts'
import { Looking, type Bounds, type Part } from './looking.ts'
import { CountedNumbers, Numbering, type Numbers } from './numbering.ts'
import { CoverageRow } from '../../coverage.ts'
import { PAUSE, type ThreadOptions, type ThreadPrediction } from './prediction.ts'
import { spunLocks } from './spins.ts'
import { Steps } from './steps.ts'

export * from './prediction.ts'

/** Without a prediction for so long, there is a pause. */
const PAUSE_MS = 250
/** Predictions of one cause. */
const ROUNDS = 10
/** Longer traces are looked at once. */
const MOST_TWICE = 2_000_000
/** Of longer traces the beginning is looked at first: so many events. */
const LONG = 500_000
const BEGINNING = 250_000

/** `stepOf`: for every event the step of its thread. */
export function* predictThreads(trace: Trace, stepOf: Int32Array, options: ThreadOptions): Generator<ThreadPrediction, void, undefined> {
  const row = options.coverage ?? new CoverageRow('threads')
  const deadline = options.deadline ?? Infinity
  const limit = options.limit ?? Infinity
  let count = 0
  let heard = performance.now()
  const bounds: Bounds = {
    late: () => performance.now() > deadline,
    over: () => count >= limit || performance.now() > deadline || options.stopped?.() === true,
    pause: () => options.pauses === true && performance.now() - heard > PAUSE_MS,
    given: new Set(),
  }
  const parts = new Parts(trace, stepOf, options, row)
  const events = options.beginning ?? (trace.eventCount > LONG ? BEGINNING : Infinity)
  const start = performance.now()
  // What the beginning could not answer is asked again of the whole: only where there is no time for that its counts are the result.
  const ofBeginning = new CoverageRow('threads')
  const cut = parts.ofBeginning(events, ofBeginning)
  if (cut) {
    const looking = new Looking(cut, ofBeginning, bounds)
    // The whole takes longer, in the proportion of their lengths.
    const needed = ((performance.now() - start) * trace.eventCount) / events
    const rest = (): boolean => !bounds.over() && performance.now() + needed <= deadline
    let isLast = true
    try {
      for (let round = 0; round < ROUNDS && (round === 0 || !rest()); round++) {
        for (const prediction of looking.round(round)) {
          if (prediction !== PAUSE) count++
          yield prediction
          heard = performance.now()
        }
        if (looking.done) break
      }
      isLast = !rest()
      if (isLast) return
    } finally {
      if (isLast) {
        looking.finish()
        row.add(ofBeginning)
        row.cutOff(bounds.late() || count < limit ? 'time' : 'limit') // all that comes later
      }
    }
  }
  const looking = new Looking(parts.ofWhole(row), row, bounds)
  const firsts: ThreadPrediction[] = []
  try {
    for (let round = 0; round < ROUNDS && !looking.done; round++) {
      for (const prediction of looking.round(round)) {
        if (prediction !== PAUSE) count++
        if (round === 0 && prediction !== PAUSE) firsts.push(prediction)
        yield prediction
        heard = performance.now()
      }
      if (round !== 1 && !looking.done) continue
      for (const prediction of onward(firsts.splice(0))) {
        if (bounds.over()) break
        count++
        yield prediction
      }
    }
  } finally {
    looking.finish()
  }
}

/** The same orders, and after them the threads go on in another one: first the thread that saw another value than in the recorded run, which may act on it. */
function* onward(firsts: readonly ThreadPrediction[]): Iterable<ThreadPrediction> {
  for (const first of firsts) {
    const { pattern } = first.candidate
    if (pattern === 'overdue' || pattern === 'premature') yield { ...first, again: true, schedule: { ...first.schedule, goesOn: true } }
  }
  for (const first of firsts) yield { ...first, again: true, schedule: { ...first.schedule, lastFirst: true } }
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
    row: CoverageRow,
  ) {
    const steps = (this.steps = new Steps(trace, stepOf, options.vocabulary))
    const spun = options.vocabulary.countsAll ? spunLocks(steps) : undefined
    const made = (this.made = spun?.made ?? withMadeLocks(trace, stepOf))
    let count = 0
    for (let t = 0; t < trace.taskCount; t++) count += steps.count(t)
    Object.assign(row.facts, { threads: trace.taskCount, steps: count, cells: trace.tables.locations.size, locks: made.locks.length })
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

  ofWhole(row: CoverageRow): Part[] {
    const { made, trace, stepOf } = this
    const parts: Part[] = [{ finder: this.finder(made, this.numberings[0], true, row) }]
    if (made.locks.length === 0) return parts
    if (trace.eventCount <= MOST_TWICE)
      parts.push({ finder: this.finder({ trace, stepOf }, this.numberings[1], true, row), only: new Set(made.locks) })
    else row.cutOff('limit', made.locks.length)
    return parts
  }

  /** undefined where the trace is no longer than that, or has no beginning. */
  ofBeginning(events: number, row: CoverageRow): Part[] | undefined {
    const { made, trace, stepOf } = this
    const beginning = beginningOf(made.trace, made.stepOf, events)
    if (!beginning) return undefined
    const parts: Part[] = [{ finder: this.finder(beginning, this.numberings[0], false, row), beginning }]
    const asRecorded = made.locks.length === 0 ? undefined : beginningOf(trace, stepOf, events)
    if (asRecorded)
      parts.push({ finder: this.finder(asRecorded, this.numberings[1], false, row), only: new Set(made.locks), beginning: asRecorded })
    return parts
  }

  private finder({ trace, stepOf }: { trace: Trace; stepOf: Int32Array }, numbering: Numbers, isWhole: boolean, row: CoverageRow): Finder {
    const { steps, sleeps, options, schedules } = this
    const free = options.free && freeIn(trace, stepOf, steps, options.free)
    return new Finder({ trace, stepOf, steps, numbering, sleeps, isWhole, free }, options, row, schedules)
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
