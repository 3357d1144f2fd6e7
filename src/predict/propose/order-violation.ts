/**
 * Order violations (seed 000): a read that can run before the write it relied on (overdue use), or after the write that should follow it (premature
 * use). The paper's interval method offers an order for many of them at once; the rest is decided like everything else.
 *
 * A long trace has millions of them, of which few are ever looked at: they are sorted into causes as numbers, and an interval is looked for when
 * somebody asks for it.
 */
import { intervalsOf, soundWitness, type Interval, type Intervals, type UseType } from '../biped/index.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { EventId, Trace } from '../../trace/trace.ts'
import type { Candidate } from '../../witness/candidate.ts'
import { noDemands, proposal, type Group, type Proposal, type RuledOut } from './group.ts'
import { sortIntoUseCauses, type UseCauses } from './use-causes.ts'

/** `only`: locations to look at, by number; all unless said. `direction`: one of the two predictors of the paper alone; both unless said. */
export function* orderViolations(causality: Causality, must: MustOrder, only?: ReadonlySet<number>, direction?: UseType): Iterable<Group> {
  const { trace } = causality
  const known = only ? causesOf(trace, only) : (CAUSES.get(trace) ?? causesOf(trace))
  if (!only && known) CAUSES.set(trace, known)
  if (!known) return
  const { start, uses } = known
  for (let cause = 0; cause + 1 < start.length; cause++) {
    const type = uses[start[cause]!]! % 2 === 0 ? 'overdue' : 'premature'
    if (direction === undefined || type === direction) yield new Uses(causality, must, known, cause, type)
  }
}

/** The uses of one cause. */
class Uses implements Group {
  readonly kind = 'order-violation'
  /** Of each pair: the use, and the write. */
  private readonly use: Int32Array
  private readonly others: Int32Array

  constructor(
    private readonly causality: Causality,
    private readonly must: MustOrder,
    private readonly known: Causes,
    private readonly cause: number,
    private readonly type: UseType,
  ) {
    const { use, predef, redef } = known.intervals.table
    this.use = use
    this.others = type === 'overdue' ? predef : redef
  }

  get through(): number {
    return this.cause / this.known.start.length
  }

  get key(): string {
    const { use, others, known } = this
    const { trace } = this.causality
    const first = known.uses[known.start[this.cause]!]! >> 1
    const location = trace.tables.locations.at(trace.target[use[first]!]!)
    return `order-violation ${this.type} ${location} ${trace.site[use[first]!]} ${trace.site[others[first]!]}`
  }

  *candidates(ruledOut: RuledOut): Iterable<Proposal> {
    const { use, others, known, type } = this
    for (let i = known.start[this.cause]!; i < known.start[this.cause + 1]!; i++) {
      const row = known.uses[i]! >> 1
      if (this.isOrdered(row)) ruledOut.mustOrder++
      else yield proposalOf(known.intervals, type, use[row]!, others[row]!)
    }
  }

  open(ruledOut: RuledOut): { open: number; ruledOut: RuledOut } {
    const { known } = this
    let open = 0
    for (let i = known.start[this.cause]!; i < known.start[this.cause + 1]!; i++) {
      if (this.isOrdered(known.uses[i]! >> 1)) ruledOut.mustOrder++
      else open++
    }
    return { open, ruledOut }
  }

  /**
   * Does must-order forbid the use to stand next without the write (overdue), or after it (premature)? Most are settled here, which spares
   * them the orders that the interval method would build, each as long as the trace.
   */
  private isOrdered(row: number): boolean {
    const { causality, must, type } = this
    const [use, other] = [this.use[row]!, this.others[row]!]
    const clock = this.known.clock.fill(0)
    causality.edgesToReach(use, (from) => must.joinPast(from, clock))
    if (type === 'premature') must.joinPast(other, clock)
    else if (clock[causality.task[other]!]! > causality.positionOf(other)) return true
    return clock[causality.task[use]!]! > causality.positionOf(use)
  }
}

interface Causes extends UseCauses {
  readonly intervals: Intervals
  /** To be filled anew for each question. */
  readonly clock: Int32Array
}

/** Both predictors go through the same table. */
const CAUSES = new WeakMap<Trace, Causes>()

function causesOf(trace: Trace, only?: ReadonlySet<number>): Causes | undefined {
  const intervals = intervalsOf(trace)
  return intervals && { intervals, clock: new Int32Array(trace.taskCount), ...sortIntoUseCauses(trace, intervals.table, only) }
}

/** The interval of a candidate that was found elsewhere. */
export function intervalOfUse(trace: Trace, candidate: Candidate): Interval | undefined {
  const { pattern, next, without, include } = candidate
  if (pattern !== 'overdue' && pattern !== 'premature') return undefined
  const known = CAUSES.get(trace) ?? causesOf(trace)
  if (known) CAUSES.set(trace, known)
  return known?.intervals.of(pattern, next[0]!, pattern === 'overdue' ? without[0]! : include[0]!)
}

function proposalOf(intervals: Intervals, type: UseType, use: EventId, other: EventId): Proposal {
  const overdue = type === 'overdue'
  let known: Interval | undefined
  const interval = (): Interval => (known ??= intervals.of(type, use, other))
  return proposal(
    'order-violation',
    type,
    overdue ? [use, other] : [other, use],
    { ...noDemands, next: [use], include: overdue ? [] : [other], without: overdue ? [other] : [] },
    { offer: () => soundWitness(interval()), interval },
  )
}
