/**
 * Decides candidates of one trace of threads and makes predictions of the feasible ones: each with a witness in whole steps that the checker
 * accepted, and its schedule.
 */
import { isRead, isWrite } from '../../trace/ops.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import type { Vocabulary } from '../../trace/vocabulary.ts'
import type { Kind } from '../../witness/candidate.ts'
import { format } from '../../property/format.ts'
import type { PropertyNote } from '../../property/words.ts'
import { meaningless } from '../../witness/meaning.ts'
import { DifferenceChecker } from '../../witness/check-difference.ts'
import { Difference } from '../../witness/difference.ts'
import { simplify } from '../../witness/simplify.ts'
import { Decider } from '../decide/decider.ts'
import { kindOf } from '../naming.ts'
import { Accesses } from '../propose/accesses.ts'
import type { CoverageRow } from '../../coverage.ts'
import { proposeAll, proposeOnLocks } from '../propose/all.ts'
import { settle, settled, type Settling, type Show } from '../settle.ts'
import { findCauses, ONLY_THE_BEGINNING, type Cause, type Drawn, type Found } from './causes.ts'
import { Words } from './describe.ts'
import { fewerLines } from './fewer-lines.ts'
import { withOthers } from './others.ts'
import { Patterns } from './pattern.ts'
import type { ThreadOptions, ThreadPrediction } from './prediction.ts'
import { variants, type ThreadProposal } from './propose.ts'
import { scheduleOf, tailOf, type Threads } from './schedule.ts'
import { EarlierValues } from './values.ts'
import { wholeSteps, type WholeSteps } from './whole-steps.ts'

/** Candidates of one cause that are decided in a round before it is given up. */
const TRIES = 40
/** Steps of search per candidate: replays are cheaper than long searches. */
const BUDGET = 2_000
/** What breaks soonest first. */
const KINDS: readonly Kind[] = ['property', 'typestate', 'order-violation', 'atomicity', 'deadlock', 'data-race']
const MOST_SITES = 12
const NOT_ALL_ASKED = 'tries'

export class Finder {
  private readonly decider: Decider
  private readonly checker: DifferenceChecker
  private readonly values: EarlierValues
  private readonly patterns: Patterns
  private readonly words: Words
  private readonly accesses: Accesses

  /** `trace` and `stepOf` are of what is decided: as recorded, or with locks made by hand as locks. */
  constructor(
    private readonly threads: Threads,
    private readonly options: Pick<ThreadOptions, 'command' | 'timers' | 'properties' | 'typestates'>,
    private readonly row: CoverageRow,
    private readonly schedules: Set<string>,
  ) {
    const { trace } = threads
    this.decider = new Decider(trace, 'maximal', BUDGET, threads.free)
    this.checker = new DifferenceChecker(trace, 'maximal', threads.free)
    this.accesses = new Accesses(this.decider.causality)
    this.values = new EarlierValues(trace)
    this.patterns = new Patterns(this.decider.causality, this.accesses, this.values, threads.steps.vocabulary)
    this.words = new Words(threads, this.decider.causality)
  }

  private get vocabulary(): Vocabulary {
    return this.threads.steps.vocabulary
  }

  /** All causes, or those on these cells. */
  causes(late: () => boolean, only?: ReadonlySet<string>): Found {
    const { decider, accesses, row, options } = this
    const groups = only
      ? proposeOnLocks(decider, accesses, only)
      : proposeAll(decider, accesses, {
          kinds: KINDS,
          declarations: [...(options.properties ?? []), ...(options.typestates ?? [])],
          replayed: { vocabulary: this.vocabulary, stepOf: this.threads.stepOf },
          onCut: (_, left) => row.cutOff('limit', left),
        })
    const vary = (candidate: ThreadProposal): ThreadProposal[] => variants(decider.causality, candidate, this.vocabulary.countsAll)
    return findCauses(groups, this.patterns, this.words, vary, late, row)
  }

  /**
   * A prediction of the cause with a schedule that none had before; undefined when it has no more or none was found in time. `isNew`: it is the first
   * of its cause, as they are counted.
   */
  next(cause: Cause, round: number, again: boolean, isNew: boolean): ThreadPrediction | undefined {
    // Neighbours in a loop are much alike: each round goes further on.
    cause.skip(round === 0 ? 0 : 2 ** (round - 1) - 1)
    const start = performance.now()
    cause.unfinished = false
    for (let tries = 0; tries < TRIES; tries++) {
      // Of many causes each gets its turn before one gets all the time.
      if (performance.now() - start > this.vocabulary.patienceMs) {
        cause.unfinished = true
        return undefined
      }
      const drawn = cause.draw()
      if (!drawn) return undefined
      const answer = this.decide(drawn.candidate)
      this.count(drawn, answer)
      if (answer.verdict !== 'feasible') continue
      const prediction = this.predictionOf(drawn.candidate, answer.shown, cause, again)
      const schedule = prediction.schedule.steps.map((s) => `${s.task} ${s.upTo} ${s.timesOut}`).join('\n')
      if (prediction.schedule.steps.length === 0 || this.schedules.has(schedule)) {
        drawn.of.settle('grouped', '')
        continue
      }
      this.schedules.add(schedule)
      // Others of the same cause are given as well, but they are not another prediction.
      drawn.of.settle(isNew ? 'feasible' : 'grouped', answer.stage)
      return prediction
    }
    return undefined
  }

  /** What the beginning of a run rules out, the whole of it may allow. */
  private count({ of, isWhole }: Drawn, answer: Settling<ThreadProposal, WholeSteps>): void {
    if (answer.verdict === 'unknown') of.settle('unknown', answer.budget)
    if (answer.verdict !== 'infeasible') return
    if (!this.threads.isWhole) of.settle('unknown', ONLY_THE_BEGINNING)
    else if (isWhole) of.settle('infeasible', answer.stage)
    else if (!of.isSettled) of.settle('unknown', NOT_ALL_ASKED)
  }

  /** An order in whole steps that the checker has accepted, of the weaker question where there is none of the first. */
  private decide(candidate: ThreadProposal): Settling<ThreadProposal, WholeSteps> {
    return settled(settle(candidate, this.checker, this.show), (demands) => this.decider.decide(demands))
  }

  private readonly show: Show<ThreadProposal, WholeSteps> = (candidate, demands, witness) => {
    const { threads } = this
    const checker = this.checker.plain
    const found = witness.order
    const { trace, stepOf } = threads
    const simple = simplify(trace, found, demands.before)
    const refused =
      checker.check(demands, simple)?.sentence ??
      (candidate.own ? undefined : meaningless(trace, candidate, Difference.of(trace, simple), this.checker.holds))
    if (refused) throw new Error(`the checker refused a witness of ${candidate.kind} (${candidate.pattern}): ${refused}`)
    const whole = wholeSteps(trace, stepOf, checker, demands, simple) ?? wholeSteps(trace, stepOf, checker, demands, found)
    if (!whole) return { ruledOut: 'inside one step' }
    const shows = (tried: Int32Array): boolean => candidate.shows?.(withSteps(threads, tried, whole.next)) ?? true
    if (!shows(whole.order)) return undefined
    const asked = { ...demands, next: whole.next }
    const accepts = (tried: Int32Array): boolean =>
      checker.check(asked, tried) === undefined && (candidate.inTheWay?.(tried) ?? NONE) === NONE && shows(tried)
    const { rank } = this.decider.causality
    const order = candidate.alone ? whole.order : withOthers(trace, stepOf, rank, asked, whole.order, accepts)
    return { shown: { ...whole, order: fewerLines(trace, order, accepts) } }
  }

  private predictionOf(candidate: ThreadProposal, { order, next }: WholeSteps, cause: Cause, again: boolean): ThreadPrediction {
    const { threads, words, options, values } = this
    const { trace } = threads
    const { rank } = this.decider.causality
    const pattern = this.patterns.in(candidate, (e) => order.includes(e))
    const schedule = scheduleOf(threads, candidate, order, next, options)
    const stale = candidate.pattern === 'overdue' ? values.after(order, trace.target[candidate.events[0]!]!) : NOT_OBSERVED
    const observed = [...new Set([...words.shown(candidate), ...this.patterns.around(candidate)])].sort((a, b) => rank[a]! - rank[b]!)
    const tail = tailOf(candidate, next)
    const failing = inFailingOrder(threads, observed, order, tail.length > 0 ? tail : next)
    const seen = this.seenIn(candidate, order, failing)
    const sites = [...new Set([...candidate.events, ...candidate.next].map((e) => words.site(e)))].filter((s) => s !== '')
    return {
      kind: kindOf(candidate.kind, pattern),
      pattern,
      ...this.propertyOf(candidate),
      sites: sites.slice(0, MOST_SITES),
      locations: words.about(candidate),
      fingerprint: cause.fingerprint,
      schedule,
      candidate,
      witness: Difference.of(trace, order),
      summary: words.summary(candidate, pattern, stale),
      observed: words.rows(observed),
      failing: words.rows(failing, seen, candidate),
      why: words.why(candidate, pattern),
      count: cause.count,
      score: cause.points,
      again,
    }
  }

  /** A replay in which every line was carried out shows it: the order is that of the witness. */
  private propertyOf({ property: asked }: ThreadProposal): { property?: PropertyNote } {
    const declaration = asked && this.options.properties?.find((d) => d.name === asked.name)
    if (!asked || !declaration) return {}
    const { name, confirm } = declaration
    return { property: { name, confirm, binding: asked.binding, text: format({ declarations: [declaration] }), bothOrders: true } }
  }

  /** Values that differ in the failing order, as far as the report shows them: of what is demanded next, and of what its thread does after it. */
  private seenIn({ kind, next }: ThreadProposal, order: Int32Array, failing: readonly EventId[]): Map<EventId, number> {
    const { trace } = this.threads
    const seen = new Map<EventId, number>()
    if (kind === 'deadlock') return seen
    const written = new Map<number, number>()
    for (const e of failing.slice(failing.findIndex((f) => next.includes(f)))) {
      const x = trace.target[e]!
      const changed = next.some((n) => n < e && trace.taskOf(n) === trace.taskOf(e))
      if (isRead(trace.op[e]!)) seen.set(e, changed ? NOT_OBSERVED : (written.get(x) ?? this.values.after(order, x)))
      else if (changed) seen.set(e, NOT_OBSERVED)
      if (isWrite(trace.op[e]!)) written.set(x, changed ? NOT_OBSERVED : trace.value[e]!)
    }
    return seen
  }
}

/** The order, and then the steps that come next. */
function withSteps({ trace, stepOf }: Threads, order: Int32Array, next: readonly EventId[]): Int32Array {
  const steps = next.flatMap((e) => {
    const end = trace.taskStart[trace.taskOf(e) + 1]!
    const step: EventId[] = []
    for (let i = e; i < end && stepOf[i] === stepOf[e]; i++) step.push(i)
    return step
  })
  const run = new Int32Array(order.length + steps.length)
  run.set(order)
  run.set(steps, order.length)
  return run
}

/** What runs in the order comes first, then what is demanded next, as it is run, then the rest: first of the thread that goes on. */
function inFailingOrder({ trace, stepOf }: Threads, events: readonly EventId[], order: Int32Array, next: readonly EventId[]): EventId[] {
  const sameStep = (a: EventId, b: EventId): boolean => stepOf[a] === stepOf[b] && trace.taskOf(a) === trace.taskOf(b)
  const placeOf = (e: EventId): number => {
    const ran = order.indexOf(e)
    if (ran >= 0) return ran
    const demanded = next.findIndex((n) => sameStep(n, e))
    if (demanded >= 0) return order.length + demanded
    return order.length + next.length + (next.length > 0 && trace.taskOf(next.at(-1)!) === trace.taskOf(e) ? 0 : 1)
  }
  return events
    .map((e) => ({ e, at: placeOf(e) }))
    .sort((a, b) => a.at - b.at)
    .map(({ e }) => e)
}
