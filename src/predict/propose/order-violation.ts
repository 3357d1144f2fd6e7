/**
 * Order violations (seed 000): a read that can run before the write it relied on (overdue use), or after the write that should follow it (premature
 * use). The paper's interval method offers an order for many of them at once; the rest is decided like everything else.
 */
import { bipedIntervals, toWitness, type Interval } from '../biped/index.ts'
import type { Trace } from '../../trace/trace.ts'
import { noDemands, type Group, type Proposal } from './group.ts'

export function* orderViolations(trace: Trace): Iterable<Group> {
  const causes = new Map<string, Interval[]>()
  for (const interval of bipedIntervals(trace)) {
    const location = trace.tables.locations.at(trace.target[interval.use]!)
    const key = `order-violation ${interval.type} ${location} ${trace.site[interval.use]} ${trace.site[interval.other]}`
    const same = causes.get(key)
    if (same) same.push(interval)
    else causes.set(key, [interval])
  }
  for (const [key, intervals] of causes) {
    yield {
      kind: 'order-violation',
      key,
      settled: { mustOrder: 0, locks: 0 },
      *candidates() {
        for (const interval of intervals) yield proposalOf(interval, trace)
      },
    }
  }
}

function proposalOf(interval: Interval, trace: Trace): Proposal {
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
    offer: () => (interval.possible && interval.flaw === undefined ? toWitness(interval, trace)?.witness.order : undefined),
  }
}
