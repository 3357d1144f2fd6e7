/**
 * The staged decider (DESIGN section 6): must-order by clocks, common locks, an attempt that keeps the recorded order, saturation of forced
 * choices, an attempt guided by the trace, and at last a complete conflict-driven search. Rules are not encoded up front: an attempt that breaks
 * some teaches the search just those (clauses.ts), until an attempt is good or the clauses contradict each other.
 */
import type { EventId, Trace } from '../../trace/trace.ts'
import { matchWakes } from '../../trace/wakes.ts'
import type { Demands } from '../../witness/candidate.ts'
import { Difference } from '../../witness/difference.ts'
import type { Model } from '../../trace/model.ts'
import { Causality } from '../../causal/causality.ts'
import { recordedHolders } from '../../causal/holders.ts'
import { MustOrder, type MustRows } from '../../causal/must-order.ts'
import type { BaseOrder } from '../../solve/base-order.ts'
import { OrderSearch } from '../../solve/order-search.ts'
import type { Answer, Stage } from './answer.ts'
import { asRecorded } from './as-recorded.ts'
import { Attempt } from './attempt.ts'
import { Clauses } from './clauses.ts'
import { Either, brokenClauses } from './either.ts'
import { eachLeftOpen } from './left-open.ts'
import { OrderPreserving } from './order-preserving.ts'
import { Question } from './question.ts'

/** Steps of search per candidate: conflicts met plus orders attempted. */
export const DEFAULT_BUDGET = 5_000

export class Decider {
  readonly causality: Causality
  readonly must: MustOrder
  /** Is there a choice beyond what was recorded: another write of the same value, another notify, another holder? */
  private readonly pinnable: boolean
  private readonly preserving: OrderPreserving | undefined
  private readonly base: BaseOrder
  private readonly cut: number
  /** Which notify served which wake in the recorded run; empty where its order is unknown. */
  readonly notifyOf: ReadonlyMap<EventId, EventId>
  /** Which section kept out which try that failed; as above. */
  readonly holderOf: ReadonlyMap<EventId, number>
  private attempts: Attempt | undefined

  constructor(
    readonly trace: Trace,
    readonly model: Model,
    private readonly budget: number = DEFAULT_BUDGET,
    /** Reads that never bind (causal/free-reads.ts). */
    free?: Uint8Array,
    /** Of the same trace: what does not depend on the model is taken from it. */
    shared?: Causality,
    /** Orders that run as much of the recorded beginning as they can, so that little moves; else those that run little. */
    private readonly keepsRecorded = false,
    /** Clocks that another thread has worked out of the same trace, under the same model. */
    clocks?: MustRows,
  ) {
    const causality = (this.causality = new Causality(trace, model, shared, free))
    this.must = new MustOrder(causality, clocks)
    this.notifyOf = new Map(causality.global && causality.hasWakes ? matchWakes(trace, trace.recordedOrder()).pairs : [])
    const hasTries = causality.tries.events.length > 0
    this.holderOf = causality.global && hasTries ? recordedHolders(trace, causality.sections) : new Map()
    if (causality.global) {
      const keeping = model === 'maximal' ? new Causality(trace, 'data', causality, free) : causality
      this.preserving = new OrderPreserving(
        causality,
        keeping,
        model === 'maximal' ? new MustOrder(keeping) : this.must,
        this.notifyOf,
        this.holderOf,
      )
    }
    this.pinnable = causality.global && (model === 'maximal' || causality.hasWakes || hasTries)
    const cut = (this.cut = trace.eventCount)
    const { must } = this
    const tasks = trace.taskCount
    this.base = {
      chainCount: tasks + 1,
      chainOf: (node) => (node === cut ? tasks : causality.task[node]!),
      positionOf: (node) => (node === cut ? 0 : node - trace.taskStart[causality.task[node]!]!),
      joinPast: (node, clock) => {
        if (node === cut) clock[tasks] = 1
        else must.joinPast(node, clock)
      },
    }
  }

  decide(demands: Demands): Answer {
    const question = new Question(this.causality, this.must, demands)
    if (question.refused) return { verdict: 'infeasible', stage: question.refused }
    const runs = this.preserving?.find(question)
    if (runs) {
      const witness = Difference.restricted(this.trace, runs)
      if (brokenClauses(demands, witness).length === 0) return { verdict: 'feasible', stage: 'order-preserving', witness }
    }
    // What was recorded is the likeliest to be possible again: with every read and wake pinned to it a question is cheap, and often feasible.
    if (this.pinnable) {
      const pinned = this.search(question, true)
      if (pinned.verdict === 'feasible') return pinned
    }
    return this.search(question, false)
  }

  private search(question: Question, pinned: boolean): Answer {
    const budget = pinned ? Math.ceil(this.budget / 4) : this.budget
    const search = new OrderSearch(this.base)
    if (!this.demand(question, search)) return { verdict: 'infeasible', stage: 'saturation', rules: [] }
    const clauses = new Clauses(this.causality, this.must, question, search, this.cut, this.notifyOf, this.holderOf, pinned)
    const either = new Either(question, search, this.cut)
    const attempts = (this.attempts ??= new Attempt(this.causality, this.notifyOf))
    if (!this.closeSections(search, clauses)) return { verdict: 'infeasible', stage: 'saturation', rules: clauses.rules }
    let stage: Stage = 'linearization'
    for (let spent = 0; spent < budget;) {
      // First what follows by itself; only when that is not enough, choices.
      if (stage === 'linearization') {
        if (!search.saturate()) return { verdict: 'infeasible', stage: 'saturation', rules: clauses.rules }
      } else {
        const before = search.counts.conflicts
        const verdict = search.solve(budget - spent)
        spent += search.counts.conflicts - before
        if (verdict === 'unsat')
          return { verdict: 'infeasible', stage: search.counts.conflicts === 0 ? 'saturation' : 'search', rules: clauses.rules }
        if (verdict === 'budget') break
      }
      const forced = search.facts
      const { witness, violations } = this.attempt(attempts, question, search, clauses)
      spent++
      const open = either.learn(witness)
      if (!violations && !open) return { verdict: 'feasible', stage, witness }
      if (violations) clauses.learn(violations)
      if (stage === 'linearization') {
        if (!search.saturate()) return { verdict: 'infeasible', stage: 'saturation', rules: clauses.rules }
        if (search.facts === forced) stage = 'search' // nothing new follows: the same attempt would fail again
      }
    }
    return { verdict: 'unknown', stage: 'search', budget: `${this.budget} steps of search` }
  }

  /** Teaches what sections left open mean for others of their locks, as long as that makes more events run. False when it is a contradiction. */
  private closeSections(search: OrderSearch, clauses: Clauses): boolean {
    for (let isNew = true; isNew;) {
      if (!search.saturate()) return false
      isNew = false
      eachLeftOpen(this.causality, search.closure.past(this.cut).slice(0, -1), (open, other) => {
        if (clauses.overlap(open, other)) isNew = true
      })
    }
    return true
  }

  /**
   * The fewest events that can run, unless all that was recorded up to where something is turned round or left out can run before as well: then what comes
   * after that is short.
   */
  private attempt(attempts: Attempt, question: Question, search: OrderSearch, clauses: Clauses): ReturnType<Attempt['run']> {
    const runs = search.closure.past(this.cut).slice(0, -1)
    const edges = this.edges(search)
    if (this.keepsRecorded && this.causality.global && question.demands.either.length === 0) {
      const more = asRecorded(this.causality, this.must, question, runs, edges, this.stops(search))
      const found = more && attempts.run(question, more, edges)
      if (found && (!found.violations || clauses.isNew(found.violations))) return found
    }
    return attempts.run(question, runs, edges)
  }

  /** Events that must not run, by the candidate or by choice. */
  private stops(search: OrderSearch): EventId[] {
    const out: EventId[] = []
    for (let i = 0; i < search.closure.size; i++) {
      const [from, to] = search.closure.edge(i)
      if (from === this.cut) out.push(to)
    }
    return out
  }

  /** The candidate's own orders, which hold whatever is chosen. */
  private demand(question: Question, search: OrderSearch): boolean {
    const { demands } = question
    let ok = true
    for (const e of question.required) ok = ok && search.hard(e, this.cut)
    for (const e of demands.next) ok = ok && search.hard(this.cut, e)
    for (const e of demands.without) ok = ok && search.hard(this.cut, e)
    for (const [a, b] of demands.before) ok = ok && search.hard(a, b)
    return ok
  }

  /** Added edges between events, flat; those from or to CUT only say what runs. */
  private edges(search: OrderSearch): number[] {
    const out: number[] = []
    for (let i = 0; i < search.closure.size; i++) {
      const [from, to] = search.closure.edge(i)
      if (from !== this.cut && to !== this.cut) out.push(from, to)
    }
    return out
  }
}
