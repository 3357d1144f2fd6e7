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
import { noDemands, type Group, type Proposal } from './group.ts'
import { sortIntoUseCauses, type UseCauses } from './use-causes.ts'

/** `only`: locations to look at, by number; all unless said. `direction`: one of the two predictors of the paper alone; both unless said. */
export function* orderViolations(causality: Causality, must: MustOrder, only?: ReadonlySet<number>, direction?: UseType): Iterable<Group> {
  const { trace } = causality
  const known = only ? causesOf(trace, only) : (CAUSES.get(trace) ?? causesOf(trace))
  if (!only && known) CAUSES.set(trace, known)
  if (!known) return
  const { intervals, start, uses } = known
  const { use, predef, redef } = intervals.table
  const clock = new Int32Array(trace.taskCount)
  for (let cause = 0; cause + 1 < start.length; cause++) {
    const type = uses[start[cause]!]! % 2 === 0 ? 'overdue' : 'premature'
    if (direction !== undefined && type !== direction) continue
    const others = type === 'overdue' ? predef : redef
    const first = uses[start[cause]!]! >> 1
    yield {
      kind: 'order-violation',
      through: cause / start.length,
      get key() {
        const location = trace.tables.locations.at(trace.target[use[first]!]!)
        return `order-violation ${type} ${location} ${trace.site[use[first]!]} ${trace.site[others[first]!]}`
      },
      *candidates(ruledOut) {
        for (let i = start[cause]!; i < start[cause + 1]!; i++) {
          const row = uses[i]! >> 1
          if (isOrdered(causality, must, type, use[row]!, others[row]!, clock)) ruledOut.mustOrder++
          else yield proposalOf(intervals, type, use[row]!, others[row]!)
        }
      },
      open(ruledOut) {
        let open = 0
        for (let i = start[cause]!; i < start[cause + 1]!; i++) {
          const row = uses[i]! >> 1
          if (isOrdered(causality, must, type, use[row]!, others[row]!, clock)) ruledOut.mustOrder++
          else open++
        }
        return { open, ruledOut }
      },
    }
  }
}

/** Both predictors go through the same table. */
const CAUSES = new WeakMap<Trace, { intervals: Intervals } & UseCauses>()

function causesOf(trace: Trace, only?: ReadonlySet<number>): ({ intervals: Intervals } & UseCauses) | undefined {
  const intervals = intervalsOf(trace)
  return intervals && { intervals, ...sortIntoUseCauses(trace, intervals.table, only) }
}

/** The interval of a candidate that was found elsewhere. */
export function intervalOfUse(trace: Trace, candidate: Candidate): Interval | undefined {
  const { pattern, next, without, include } = candidate
  if (pattern !== 'overdue' && pattern !== 'premature') return undefined
  const known = CAUSES.get(trace) ?? causesOf(trace)
  if (known) CAUSES.set(trace, known)
  return known?.intervals.of(pattern, next[0]!, pattern === 'overdue' ? without[0]! : include[0]!)
}

/**
 * Does must-order forbid the use to stand next without the write (overdue), or after it (premature)? Most are settled here, which spares
 * them the orders that the interval method would build, each as long as the trace.
 */
function isOrdered(causality: Causality, must: MustOrder, type: UseType, use: EventId, other: EventId, clock: Int32Array): boolean {
  clock.fill(0)
  causality.edgesToReach(use, (from) => must.joinPast(from, clock))
  if (type === 'premature') must.joinPast(other, clock)
  else if (clock[causality.task[other]!]! > causality.positionOf(other)) return true
  return clock[causality.task[use]!]! > causality.positionOf(use)
}

function proposalOf(intervals: Intervals, type: UseType, use: EventId, other: EventId): Proposal {
  const overdue = type === 'overdue'
  let interval: Interval | undefined
  const found = (): Interval => (interval ??= intervals.of(type, use, other))
  return {
    ...noDemands,
    kind: 'order-violation',
    pattern: type,
    events: overdue ? [use, other] : [other, use],
    next: [use],
    include: overdue ? [] : [other],
    without: overdue ? [other] : [],
    get interval() {
      return found()
    },
    offer: () => soundWitness(found()),
  }
}
