/**
 * Two writes of one location by two threads, one right after the other: the later one can come first, so that the other value stays. A data race asks
 * the same, but not about writes that are atomic or under one lock. The usual case is a flag: "stop" is written before the thread has begun, which
 * then writes "running". The later write is a plain store: what an update writes depends on what it reads, and reads are covered by order violations.
 */
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import { UPDATE, isAtomic, isWrite } from '../../trace/ops.ts'
import type { EventId } from '../../trace/trace.ts'
import { beginOf } from '../../trace/updates.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import type { Accesses } from '../propose/accesses.ts'
import { noDemands } from '../propose/group.ts'
import { grouped } from './grouped.ts'
import type { ThreadGroup } from './propose.ts'

export function* writeOrders(causality: Causality, must: MustOrder, accesses: Accesses): Iterable<ThreadGroup> {
  const { trace } = causality
  yield* grouped(
    'write order',
    'order-violation',
    pairs(causality, must, accesses),
    ([first, then]) => `${trace.targetName(first)} ${trace.site[first]} ${trace.site[then]}`,
    function* ([first, then]) {
      yield {
        ...noDemands,
        kind: 'order-violation',
        pattern: 'write order',
        own: true,
        events: [then, first],
        next: [beginOf(trace, first)],
        include: [then],
      }
    },
  )
}

function* pairs({ trace, task, rank }: Causality, must: MustOrder, accesses: Accesses): Iterable<readonly [EventId, EventId]> {
  const { op, value } = trace
  for (const location of accesses.sharedLocations()) {
    const { events, locksets } = accesses.meetable(location)
    const writes = [...events.keys()].filter((i) => isWrite(op[events[i]!]!)).sort((a, b) => rank[events[a]!]! - rank[events[b]!]!)
    for (let k = 1; k < writes.length; k++) {
      const [i, j] = [writes[k - 1]!, writes[k]!]
      const [first, then] = [events[i]!, events[j]!]
      if (task[first] === task[then] || op[then] === UPDATE) continue
      if (value[then] === NOT_OBSERVED || value[first] === value[then]) continue
      const mayRace = !(isAtomic(op[first]!) && isAtomic(op[then]!)) && !accesses.locksets.exclude(locksets[i]!, locksets[j]!)
      if (!mayRace && !must.before(first, then)) yield [first, then]
    }
  }
}
