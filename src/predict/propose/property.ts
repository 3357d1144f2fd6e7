/**
 * Violations of properties (seed 003, section II): every way to fill the places of a pattern with recorded events (property/instances.ts) is a
 * candidate. Orders of the pattern are demanded orders. What may not stand between two events becomes a clause for each recorded event of that sort: before
 * the one, or after the other, or not at all. Unlike the paper's, an order ends with the match, so the last event need not run if it is an access or `before`
 * something: then it is what comes next.
 */
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { isAccess } from '../../trace/ops.ts'
import { beginOf } from '../../trace/updates.ts'
import type { ThreadRun } from '../../causal/thread-run.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Property } from '../../property/ast.ts'
import type { Instance } from '../../property/instance.ts'
import { instances, newInstanceCounts } from '../../property/instances.ts'
import { violations } from '../../property/monitor.ts'
import type { Clause, Demands } from '../../witness/candidate.ts'
import { causeOf } from '../cause.ts'
import { askedOf } from './asked.ts'
import type { Group, Proposal } from './group.ts'

/** Ways to fill a pattern that are looked for, and kept of one cause. */
const BUDGET = 5_000_000
const KEPT = 10_000

/** `onCut` is told how many ways to fill the pattern were not looked at, at least. */
export function* propertyViolations(run: ThreadRun, must: MustOrder, property: Property, onCut: (left: number) => void): Iterable<Group> {
  const { trace } = run
  const causes = new Map<string, Instance[]>()
  const counts = newInstanceCounts()
  for (const instance of instances(property, run, { budget: BUDGET, perCause: KEPT, counts })) {
    const key = causeOf(trace, { ...described(trace, property, instance), next: [] })
    const same = causes.get(key)
    if (same) same.push(instance)
    else causes.set(key, [instance])
  }
  const left = counts.capped + (counts.exhausted ? 1 : 0)
  if (left > 0) onCut(left)
  for (const [key, list] of causes) {
    yield {
      kind: 'property',
      key,
      candidates: () => candidatesOf(run, must, property, list),
    }
  }
}

function* candidatesOf(run: ThreadRun, must: MustOrder, property: Property, list: readonly Instance[]): Iterable<Proposal> {
  const { trace } = run
  // `shown` is for runs that were made: another path than the recorded one.
  const looked: Property = { ...property, shown: undefined }
  for (const instance of list) {
    const shows = (order: Int32Array): boolean =>
      violations(looked, run.inOrder(order)).some(({ binding }) => binding.every((code, i) => code === instance.binding[i]))
    for (const demands of demandsOf(trace, must, property, instance)) yield { ...described(trace, property, instance), ...demands, shows }
  }
}

function described(trace: Trace, property: Property, instance: Instance): Omit<Proposal, keyof Demands> {
  const events = instance.slots.map((slot) => slot.event)
  const order = inOrder(instance)
  return {
    kind: 'property',
    pattern: property.name,
    events: order.map((i) => events[i]!),
    match: { events, before: instance.before, guards: instance.guards, parallel: instance.parallel },
    property: askedOf(
      trace,
      property,
      instance.binding,
      order.map((i) => instance.slots[i]!),
    ),
  }
}

/** The places in some order that keeps `before`, as they stand where that leaves a choice. */
function inOrder({ slots, before }: Instance): number[] {
  const order: number[] = []
  const done = new Set<number>()
  while (order.length < slots.length) {
    const i = slots.findIndex((_, k) => !done.has(k) && before.every(([a, b]) => b !== k || done.has(a)))
    if (i < 0) return slots.map((_, k) => k)
    done.add(i)
    order.push(i)
  }
  return order
}

/** The questions an instance makes: one for each event that could be the last and need not run, or a single one in which all run. */
export function* demandsOf(trace: Trace, must: MustOrder, property: Property, instance: Instance): Iterable<Demands> {
  const { slots, before, parallel } = instance
  if (parallel) {
    const demands = withNext(trace, must, instance, parallel)
    if (demands) yield demands
    return
  }
  const last = slots.map((_, i) => i).filter((i) => before.every(([a]) => a !== i))
  const coming = last.filter((i) => needNotRun(trace, property, instance, i))
  for (const i of coming) {
    const demands = withNext(trace, must, instance, [i])
    if (demands) yield demands
  }
  if (coming.length < last.length) {
    const demands = withNext(trace, must, instance, [])
    if (demands) yield demands
  }
}

function needNotRun(trace: Trace, property: Property, { slots, guards }: Instance, i: number): boolean {
  const { event, name } = slots[i]!
  const declared = property.events.find((e) => e.name === name)
  if (!isAccess(trace.op[event]!) && declared?.when !== 'before') return false
  // Only an update begins before itself; where its read half is looked at, too, both have to run.
  const begin = beginOf(trace, event)
  return begin === event || (slots.every((s) => s.event !== begin) && guards.every((g) => !g.events.includes(begin)))
}

/** `coming`: the places that come next and do not run. Undefined when the property forbids that by itself. */
function withNext(trace: Trace, must: MustOrder, instance: Instance, coming: readonly number[]): Demands | undefined {
  const { slots, before, guards, parallel } = instance
  const at = (i: number): EventId => slots[i]!.event
  const next = coming.map((i) => beginOf(trace, at(i)))
  const isNext = (e: EventId): boolean => coming.some((i) => at(i) === e)
  const include = slots.map((slot) => slot.event).filter((e) => !isNext(e))
  const either: Clause[] = []
  for (const { events, after, before: until } of guards) {
    const left = after === NONE ? NONE : at(after)
    const right = until === NONE ? NONE : at(until)
    if (left !== NONE && isNext(left)) continue
    for (const e of events) {
      if (e === left || e === right) continue
      if (isNext(e)) {
        // It comes after all that runs.
        if (parallel || (right !== NONE && !isNext(right))) continue
        return undefined
      }
      if ((left !== NONE && must.before(e, left)) || (right !== NONE && must.before(right, e))) continue
      const clause: (readonly [EventId, EventId])[] = left === NONE ? [] : [[e, left]]
      clause.push([right !== NONE && isNext(right) ? NONE : right, e])
      either.push(clause)
    }
  }
  return {
    next,
    include,
    without: [],
    before: before.filter(([, b]) => !isNext(at(b))).map(([a, b]) => [at(a), at(b)] as const),
    either,
  }
}
