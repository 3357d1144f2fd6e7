/**
 * Other results of a wait.
 *
 *   time-out        a wait that was woken in time ends by its time-out
 *   wake-up order   two threads begin to wait for one cell in the other order, so that the other one is woken first
 *   lost wake-up    of Atomics.waitAsync, after which the thread continues: begun after the last notify, it never ends
 */
import { howAsked } from '../../trace/asked.ts'
import { ACQUIRE_SHARED, NOTIFY, NOTIFY_ALL, RELEASE_SHARED } from '../../trace/ops.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import type { Decider } from '../decide/decider.ts'
import { noDemands } from '../propose/group.ts'
import { grouped } from './grouped.ts'
import type { ThreadGroup } from './propose.ts'

export function* timeOuts({ causality, notifyOf }: Decider): Iterable<ThreadGroup> {
  const { trace } = causality
  yield* grouped(
    'time-out',
    'order-violation',
    causality.wakes.events,
    (wake) => `${trace.tables.signals.at(trace.target[wake]!)}@${trace.site[wake]}`,
    function* (wake) {
      const start = causality.waitStart(wake)
      if (start === NONE || !howAsked(trace, start)) return
      const notify = notifyOf.get(wake) ?? NONE
      yield {
        ...noDemands,
        kind: 'order-violation',
        pattern: 'time-out',
        own: true,
        events: notify === NONE ? [start, wake] : [start, wake, notify],
        next: [wake],
        without: notify === NONE ? [] : [notify],
        timesOut: true,
        inTheWay: (order) => notifiedSince(causality, order, start, trace.target[wake]!),
      }
    },
  )
}

/** A notify of the signal that comes after the wait has begun, or NONE. */
function notifiedSince({ trace }: Causality, order: Int32Array, start: EventId, signal: number): EventId {
  for (let i = order.length - 1; i >= 0 && order[i] !== start; i--) {
    const op = trace.op[order[i]!]
    if ((op === NOTIFY || op === NOTIFY_ALL) && trace.target[order[i]!] === signal) return order[i]!
  }
  return NONE
}

/** Waits for one cell that began one after the other and were under way at once; how many are woken by a notify is a matter of its count. */
export function* wakeUpOrders({ causality, notifyOf }: Decider): Iterable<ThreadGroup> {
  const { trace, task } = causality
  const bySignal = new Map<number, EventId[]>()
  for (const wake of causality.wakes.events) {
    if (causality.waitStart(wake) === NONE) continue
    const same = bySignal.get(trace.target[wake]!)
    if (same) same.push(wake)
    else bySignal.set(trace.target[wake]!, [wake])
  }
  for (const [signal, wakes] of bySignal) {
    wakes.sort((a, b) => causality.rank[a - 1]! - causality.rank[b - 1]!)
    const pairs = wakes.slice(1).map((wake, i) => [wakes[i]!, wake] as const)
    yield* grouped(
      'wake-up order',
      'order-violation',
      pairs,
      ([first, second]) => `${trace.tables.signals.at(signal)}@${trace.site[first]} ${trace.site[second]}`,
      function* ([first, second]) {
        if (task[first] === task[second]) return
        const notify = notifyOf.get(first) ?? NONE
        // If all are woken at once it does not matter who was first.
        if (notify === NONE || trace.op[notify] === NOTIFY_ALL) return
        yield {
          ...noDemands,
          kind: 'order-violation',
          pattern: 'wake-up order',
          own: true,
          events: [second - 1, first - 1, notify],
          next: [second, first],
          before: [[second - 1, first - 1]],
          without: [notify],
          runs: 0,
          inTheWay: (order) => notifiedSince(causality, order, second - 1, signal),
        }
      },
    )
  }
}

/** The engine's lost wake-ups are of waits in which the thread stands still. */
export function* lostAsyncWakeUps({ causality, must }: Decider): Iterable<ThreadGroup> {
  const { trace } = causality
  const waits = [...causality.wakes.events]
    .filter((wake) => causality.waitStart(wake) === NONE)
    .map((wake) => ({ wake, start: asyncStart(causality, wake) }))
    .filter(({ start }) => start !== NONE)
  yield* grouped(
    'lost wake-up',
    'deadlock',
    waits,
    ({ wake, start }) => `${trace.tables.signals.at(trace.target[wake]!)}@${trace.site[start]} async`,
    function* ({ wake, start }) {
      const notifies = [...causality.notifies.of(trace.target[wake]!)].filter((n) => !must.before(start, n))
      if (notifies.length === 0) return
      yield {
        ...noDemands,
        kind: 'deadlock',
        pattern: 'lost wake-up',
        own: true,
        waits: start,
        events: [...notifies, start],
        next: [start + 1],
        before: notifies.map((n) => [n, start] as const),
        inTheWay: (order) => notifiedSince(causality, order, start, trace.target[wake]!),
      }
    },
  )
}

/** Where the wait began that ends in a wake somewhat later: its release, or NONE. */
function asyncStart({ trace, task }: Causality, wake: EventId): EventId {
  const lock = trace.tables.locks.find(`waiters of ${trace.targetName(wake)}`)
  if (lock === NONE) return NONE
  for (let e = wake - 1; e > trace.taskStart[task[wake]!]!; e--) {
    if (trace.op[e] !== RELEASE_SHARED || trace.target[e] !== lock) continue
    const before = trace.op[e - 1] === ACQUIRE_SHARED ? e - 1 : e - 2
    return trace.op[before] === ACQUIRE_SHARED && trace.target[before] === lock ? e : NONE
  }
  return NONE
}
