/**
 * Order violations (seed 000): a read that can run before the write it relied on (overdue use), or after the write that should follow it (premature
 * use). The paper's interval method offers an order for many of them at once; the rest is decided like everything else.
 */
import { bipedIntervals, soundOrder, type Interval } from '../biped/index.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import { noDemands, type Group, type Proposal } from './group.ts'

export function* orderViolations(causality: Causality, must: MustOrder): Iterable<Group> {
  const { trace } = causality
  const causes = new Map<string, Interval[]>()
  for (const interval of bipedIntervals(trace)) {
    const location = trace.tables.locations.at(trace.target[interval.use]!)
    const key = `order-violation ${interval.type} ${location} ${trace.site[interval.use]} ${trace.site[interval.other]}`
    const same = causes.get(key)
    if (same) same.push(interval)
    else causes.set(key, [interval])
  }
  const clock = new Int32Array(trace.taskCount)
  for (const [key, intervals] of causes) {
    const settled = { mustOrder: 0, locks: 0 }
    yield {
      kind: 'order-violation',
      key,
      settled,
      *candidates() {
        for (const interval of intervals) {
          if (isOrdered(causality, must, interval, clock)) settled.mustOrder++
          else yield proposalOf(interval)
        }
      },
    }
  }
}

/**
 * Does must-order forbid the use to stand next without the write (overdue), or after it (premature)? Most are settled here, which spares
 * them the orders that the interval method would build, each as long as the trace.
 */
function isOrdered(causality: Causality, must: MustOrder, { type, use, other }: Interval, clock: Int32Array): boolean {
  clock.fill(0)
  causality.edgesToReach(use, (from) => must.joinPast(from, clock))
  if (type === 'premature') must.joinPast(other, clock)
  else if (clock[causality.task[other]!]! > causality.positionOf(other)) return true
  return clock[causality.task[use]!]! > causality.positionOf(use)
}

function proposalOf(interval: Interval): Proposal {
  const { type, use, other } = interval
  const overdue = type === 'overdue'
  return {
    ...noDemands,
    kind: 'order-violation',
    pattern: type,
    events: overdue ? [use, other] : [other, use],
    next: [use],
    include: overdue ? [] : [other],
    without: overdue ? [other] : [],
    interval,
    offer: () => soundOrder(interval),
  }
}
