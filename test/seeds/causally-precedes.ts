/**
 * CP of Smaragdakis and others ([24] of seed 004), by its definition, for small traces: what the last column of Table 1 counts. The smallest relation
 * with a release before a later acquire of the same lock when (a) the two sections hold conflicting accesses, or (b) something in the first
 * is before something in the second; and (c) closed under happens-before on both sides. Forks, joins and signals are orders by themselves.
 */
import { FORK, JOIN, NOTIFY, WAKE, isAccess, isAcquire, isRead, isRelease } from '../../src/trace/ops.ts'
import type { EventId, Trace } from '../../src/trace/trace.ts'
import { conflictingPairs } from '../oracle/enumerate.ts'

interface Section {
  readonly lock: number
  readonly from: EventId
  readonly to: EventId
}

/** Conflicting pairs that CP leaves without an order. */
export function cpRaces(trace: Trace): [EventId, EventId][] {
  const order = [...trace.recordedOrder()]
  const at = new Map(order.map((e, i) => [e, i]))
  const n = order.length
  const relation = (): boolean[][] => Array.from({ length: n }, () => Array<boolean>(n).fill(false))
  const hb = relation()
  const cp = relation()
  const sections = sectionsOf(trace)
  for (let i = 0; i < n; i++) {
    hb[i]![i] = true
    for (let j = i + 1; j < n; j++) {
      const [a, b] = [order[i]!, order[j]!]
      if (trace.taskOf(a) === trace.taskOf(b)) hb[i]![j] = true
      else if (isRelease(trace.op[a]!) && isAcquire(trace.op[b]!) && trace.target[a] === trace.target[b]) hb[i]![j] = true
      else if (isHard(trace, a, b)) hb[i]![j] = cp[i]![j] = true
    }
  }
  close(hb)
  const inside = ({ from, to }: Section): number[] => Array.from({ length: to - from + 1 }, (_, k) => at.get(from + k)!)
  const conflict = (i: number, j: number): boolean => {
    const [a, b] = [order[i]!, order[j]!]
    if (!isAccess(trace.op[a]!) || !isAccess(trace.op[b]!) || trace.target[a] !== trace.target[b]) return false
    return !(isRead(trace.op[a]!) && isRead(trace.op[b]!))
  }
  for (let changed = true; changed;) {
    changed = false
    for (const s of sections) {
      for (const t of sections) {
        const [i, j] = [at.get(s.to)!, at.get(t.from)!]
        if (s.lock !== t.lock || i >= j || cp[i]![j] || trace.taskOf(s.to) === trace.taskOf(t.from)) continue
        if (inside(s).some((a) => inside(t).some((b) => conflict(a, b) || cp[a]![b]))) cp[i]![j] = changed = true
      }
    }
    if (compose(hb, cp, cp)) changed = true
    if (compose(cp, hb, cp)) changed = true
  }
  return conflictingPairs(trace).filter(([a, b]) => {
    const [i, j] = [at.get(a)!, at.get(b)!]
    return !cp[i]![j] && !cp[j]![i]
  })
}

function isHard(trace: Trace, a: EventId, b: EventId): boolean {
  if (trace.op[a] === FORK) return trace.target[a] === trace.taskOf(b)
  if (trace.op[b] === JOIN) return trace.target[b] === trace.taskOf(a)
  return trace.op[a] === NOTIFY && trace.op[b] === WAKE && trace.target[a] === trace.target[b]
}

function sectionsOf(trace: Trace): Section[] {
  const sections: Section[] = []
  for (let e = 0; e < trace.eventCount; e++) {
    if (!isAcquire(trace.op[e]!)) continue
    let to = e
    while (!(isRelease(trace.op[to]!) && trace.target[to] === trace.target[e])) to++
    sections.push({ lock: trace.target[e]!, from: e, to })
  }
  return sections
}

function close(relation: boolean[][]): void {
  while (compose(relation, relation, relation)) {
    // until nothing is new
  }
}

/** Adds r∘s to `into`; was anything new? */
function compose(r: boolean[][], s: boolean[][], into: boolean[][]): boolean {
  let changed = false
  for (let i = 0; i < r.length; i++) {
    for (let k = 0; k < r.length; k++) {
      if (!r[i]![k]) continue
      for (let j = 0; j < r.length; j++) if (s[k]![j] && !into[i]![j]) into[i]![j] = changed = true
    }
  }
  return changed
}
