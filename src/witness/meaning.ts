/**
 * Does a witness mean what its candidate claims? The checker (check.ts) proves that an order is feasible and meets the demands; this proves that
 * the demands make the bug: the two accesses of a race conflict, every task of a deadlock waits for a lock that another one holds. As independent
 * as the checker, so that a predictor that asks the wrong question is caught.
 */
import { ACQUIRE, NOTIFY, NOTIFY_ALL, UPDATE, WAKE, isAccess, isAcquire, isAtomic, isRead, isWrite } from '../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../trace/trace.ts'
import type { Candidate, Match } from './candidate.ts'
import type { Difference } from './difference.ts'
import type { Holds } from './recorded-run.ts'

/** undefined when the witness means it, else what is missing. */
export function meaningless(trace: Trace, candidate: Candidate, witness: Difference, holds: Holds): string | undefined {
  switch (candidate.kind) {
    case 'data-race': {
      const [a, b] = candidate.events as [EventId, EventId]
      if (candidate.next.length !== 2 || !candidate.next.includes(begins(trace, a)) || !candidate.next.includes(begins(trace, b)))
        return 'the two accesses are not what comes next'
      if (isAtomic(trace.op[a]!) && isAtomic(trace.op[b]!)) return 'both accesses are atomic'
      return conflict(trace, a, b) ? undefined : 'the two accesses do not conflict'
    }
    case 'atomicity': {
      const [a, c, b] = candidate.events as [EventId, EventId, EventId]
      const letters = [a, c, b].map((e) => (isWrite(trace.op[e]!) ? 'W' : 'R')).join('-')
      if (trace.taskOf(a) !== trace.taskOf(b) || a >= b) return 'the outer accesses are not of one task'
      if (begins(trace, b) <= a) return 'the outer accesses are one update'
      if (candidate.next[0] !== begins(trace, b)) return 'the last access is not what comes next'
      if (!sameLocation(trace, a, c) || !sameLocation(trace, c, b) || trace.taskOf(c) === trace.taskOf(a))
        return 'the access between does not touch them'
      return ['R-W-R', 'R-W-W', 'W-W-R', 'W-R-W'].includes(letters) && letters === candidate.pattern
        ? undefined
        : `${letters} has a serial explanation`
    }
    case 'order-violation': {
      const read = candidate.next[0]!
      const write = candidate.without[0] ?? candidate.include[0]!
      return isRead(trace.op[read]!) && conflict(trace, read, write) ? undefined : 'the read and the write do not touch one location'
    }
    case 'deadlock':
      return candidate.pattern === 'cycle' ? brokenCycle(trace, candidate, witness, holds) : wakeable(trace, candidate, witness.order)
    case 'property':
    case 'typestate':
      return candidate.match ? mismatch(trace, candidate, candidate.match, witness.order) : 'nothing says what the property asks'
  }
}

/** The run that is looked at is the witness and then what comes next; the events of the match must stand in it as the property says. */
function mismatch(trace: Trace, candidate: Candidate, match: Match, order: Int32Array): string | undefined {
  const place = new Map<EventId, number>()
  order.forEach((e, i) => place.set(e, i))
  const atEnd = order.length
  const at = (e: EventId): number => place.get(e) ?? (candidate.next.includes(begins(trace, e)) ? atEnd : NONE)
  for (const e of match.events) if (at(e) === NONE) return `event ${e} is not there`
  const slot = (i: number): number => at(match.events[i]!)
  // Of two at once either is first.
  const atOnce = (i: number, j: number): boolean => match.parallel !== undefined && match.parallel.includes(i) && match.parallel.includes(j)
  for (const [i, j] of match.before)
    if (!atOnce(i, j) && slot(i) >= slot(j)) return `event ${match.events[i]} does not come before ${match.events[j]}`
  if (match.parallel?.some((i) => slot(i) !== atEnd)) return 'the two events are not what comes next'
  for (const { events, after, before } of match.guards) {
    const from = after === NONE ? -1 : slot(after)
    const to = before === NONE ? atEnd + 1 : slot(before)
    for (const e of events) {
      if (after !== NONE && e === match.events[after]) continue
      const there = at(e)
      if (there !== NONE && there > from && there < to) return `event ${e} stands where the property forbids it`
    }
  }
  return undefined
}

const sameLocation = (trace: Trace, a: EventId, b: EventId): boolean =>
  isAccess(trace.op[a]!) && isAccess(trace.op[b]!) && trace.target[a] === trace.target[b]

const conflict = (trace: Trace, a: EventId, b: EventId): boolean =>
  sameLocation(trace, a, b) && trace.taskOf(a) !== trace.taskOf(b) && (isWrite(trace.op[a]!) || isWrite(trace.op[b]!))

/** Where the access begins: an update with its read half, right before it. */
const begins = (trace: Trace, e: EventId): EventId => (trace.op[e] === UPDATE ? e - 1 : e)

/** Every acquire of the cycle must ask for a lock that another task of the cycle holds when the witness ends. */
function brokenCycle(trace: Trace, candidate: Candidate, { runs }: Difference, holds: Holds): string | undefined {
  const held = (task: number, lock: number, exclusive: boolean): boolean =>
    holds.after(task, runs[task]!).some((a) => trace.target[a] === lock && (trace.op[a] === ACQUIRE) === exclusive)
  for (const e of candidate.next) {
    const lock = trace.target[e]!
    const others = candidate.next.filter((o) => o !== e).map((o) => trace.taskOf(o))
    const blocked = others.some((t) => held(t, lock, true) || (trace.op[e] === ACQUIRE && held(t, lock, false)))
    if (!isAcquire(trace.op[e]!) || !blocked) return `event ${e} does not wait for a lock that the cycle holds`
  }
  return undefined
}

/** The task waits, and no notify of its signal has come since it began to. */
function wakeable(trace: Trace, candidate: Candidate, order: Int32Array): string | undefined {
  const wake = candidate.next[0]!
  if (trace.op[wake] !== WAKE) return 'nobody waits'
  for (let i = order.length - 1; i >= 0 && order[i] !== wake - 1; i--) {
    const op = trace.op[order[i]!]
    if ((op === NOTIFY || op === NOTIFY_ALL) && trace.target[order[i]!] === trace.target[wake]) return `event ${order[i]} notifies it`
  }
  return undefined
}
