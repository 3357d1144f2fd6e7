/** Questions to ask about a small trace: the kinds of candidates of docs/model.md, and demands at random. */
import type { Random } from '../../src/base/random.ts'
import { NOTIFY, NOTIFY_ALL, UPDATE, WAKE, isAccess, isAcquire, isRead, isRelease, isWrite } from '../../src/trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../src/trace/trace.ts'
import type { Clause, Demands } from '../../src/witness/candidate.ts'
import { conflictingPairs } from './enumerate.ts'

export const demanding = (some: Partial<Demands>): Demands => ({ next: [], before: [], include: [], without: [], either: [], ...some })

/** Races: every conflicting pair. */
export function raceDemands(trace: Trace): Demands[] {
  return conflictingPairs(trace).map((next) => demanding({ next }))
}

/** Up to `count` questions of each of: atomicity, order, deadlock, lost wake-up, and anything. */
export function randomDemands(trace: Trace, random: Random, count: number): Demands[] {
  const all = Array.from({ length: trace.eventCount }, (_, e) => e)
  const events = (test: (e: EventId) => boolean): EventId[] => all.filter(test)
  const accesses = events((e) => isAccess(trace.op[e]!))
  const acquires = events((e) => isAcquire(trace.op[e]!))
  const reads = events((e) => isRead(trace.op[e]!))
  const writes = events((e) => isWrite(trace.op[e]!))
  const wakes = events((e) => trace.op[e] === WAKE)
  const some = (list: readonly EventId[]): EventId => random.pick(list)
  const few = (most: number): EventId[] => Array.from({ length: random.below(most + 1) }, () => some(all))
  const demands: Demands[] = []
  if (all.length === 0) return demands
  for (let i = 0; i < count; i++) {
    const [a, b, c] = [some(all), some(all), some(all)]
    demands.push(demanding({ before: [[a, c]], next: [b] }))
    demands.push(demanding({ include: [a, b], without: [c] }))
    demands.push(demanding({ next: few(2), include: few(2), without: few(1), before: random.chance(0.4) ? [[a, b]] : [] }))
    demands.push(
      demanding({
        before: [
          [a, b],
          [b, c],
        ],
      }),
    )
    if (accesses.length > 2) demands.push(demanding({ before: [[some(accesses), some(accesses)]], next: [some(accesses)] }))
    if (reads.length > 0 && writes.length > 0) {
      demands.push(demanding({ next: [some(reads)], without: [some(writes)] }), demanding({ next: [some(reads)], include: [some(writes)] }))
    }
    if (acquires.length > 1) demands.push(demanding({ next: [some(acquires), some(acquires)] }))
    if (wakes.length > 0) {
      const wake = some(wakes)
      demands.push(demanding({ next: [wake] }), demanding({ include: [wake], next: [a] }))
      if (wakes.length > 1) demands.push(demanding({ include: [wake, some(wakes)] }))
    }
  }
  return demands
}

/**
 * Questions with clauses: guards as properties make them (no event of some sort between two others), and clauses of any pairs. `next` names no write half of
 * an update, here as everywhere.
 */
export function clauseDemands(trace: Trace, random: Random, count: number): Demands[] {
  const all = Array.from({ length: trace.eventCount }, (_, e) => e)
  const demands: Demands[] = []
  if (all.length === 0) return demands
  const some = (): EventId => random.pick(all)
  const guard = (left: EventId, right: EventId): Clause[] => {
    const sample = some()
    const alike = all.filter((e) => trace.op[e] === trace.op[sample] && trace.target[e] === trace.target[sample])
    return alike
      .filter((e) => e !== left && e !== right)
      .slice(0, 3)
      .map((e) => [...(left === NONE ? [] : [[e, left] as const]), [right, e] as const])
  }
  for (let i = 0; i < count; i++) {
    const [a, b, c] = [some(), some(), some()]
    const last = trace.op[b] === UPDATE ? b - 1 : b
    demands.push(demanding({ before: [[a, b]], either: guard(a, b) }))
    demands.push(demanding({ include: [a], next: [last], either: guard(a, last) }))
    demands.push(
      demanding({
        before: [
          [a, b],
          [b, c],
        ],
        either: [...guard(a, b), ...guard(b, c)],
      }),
    )
    demands.push(demanding({ include: [a], either: guard(NONE, a) }), demanding({ include: [a], either: guard(a, NONE) }))
    const pair = (): readonly [EventId, EventId] => [random.chance(0.1) ? NONE : random.chance(0.2) ? last : some(), some()]
    const clause = (): Clause => Array.from({ length: 1 + random.below(3) }, pair)
    demands.push(
      demanding({
        next: random.chance(0.5) ? [last] : [],
        include: random.chance(0.5) ? [a] : [],
        either: random.chance(0.5) ? [clause()] : [clause(), clause()],
      }),
    )
  }
  return demands
}

/** Up to `most` of each kind of candidate of docs/model.md besides races, drawn from all there are. */
export function candidateDemands(trace: Trace, random: Random, most: number): Demands[] {
  const all = Array.from({ length: trace.eventCount }, (_, e) => e)
  const task = (e: EventId): number => trace.taskOf(e)
  const drawn = (list: Demands[]): Demands[] => {
    if (list.length <= most) return list
    return Array.from({ length: most }, () => random.pick(list))
  }
  const accesses = all.filter((e) => isAccess(trace.op[e]!))
  const reads = accesses.filter((e) => isRead(trace.op[e]!))
  const writes = accesses.filter((e) => isWrite(trace.op[e]!))
  const acquires = all.filter((e) => isAcquire(trace.op[e]!))

  const atomicity: Demands[] = []
  for (const [a, c] of pairs(accesses, accesses)) {
    if (task(a) === task(c) || trace.target[a] !== trace.target[c]) continue
    for (const b of accesses) {
      if (b > a && task(a) === task(b) && trace.target[a] === trace.target[b]) atomicity.push(demanding({ next: [b], before: [[a, c]] }))
    }
  }

  const order: Demands[] = []
  for (const [r, w] of pairs(reads, writes)) {
    if (trace.target[r] !== trace.target[w] || task(r) === task(w)) continue
    order.push(demanding({ next: [r], without: [w] }), demanding({ next: [r], include: [w] }))
  }

  const two = pairs(acquires, acquires).filter(([a, b]) => task(a) < task(b))
  const three = two.flatMap(([a, b]) => acquires.filter((c) => task(c) > task(b)).map((c) => [a, b, c]))

  const lost: Demands[] = []
  for (const wake of all.filter((e) => trace.op[e] === WAKE)) {
    if (trace.taskStart.includes(wake) || !isRelease(trace.op[wake - 1]!)) continue
    const notifies = all.filter((n) => (trace.op[n] === NOTIFY || trace.op[n] === NOTIFY_ALL) && trace.target[n] === trace.target[wake])
    lost.push(demanding({ next: [wake], before: notifies.map((n) => [n, wake - 1] as const) }))
    for (const n of notifies) lost.push(demanding({ next: [wake], before: [[n, wake - 1]] }))
  }
  return [
    ...drawn(atomicity),
    ...drawn(order),
    ...drawn(two.map((next) => demanding({ next }))),
    ...drawn(three.map((next) => demanding({ next }))),
    ...drawn(lost),
  ]
}

function pairs(as: readonly EventId[], bs: readonly EventId[]): [EventId, EventId][] {
  return as.flatMap((a) => bs.map((b): [EventId, EventId] => [a, b]))
}
