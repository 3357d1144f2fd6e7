/**
 * Instances of a pattern: the recorded events that could make a violation together in another order (seed 003, section II.C). Not all combinations
 * are formed. The positions of the pattern are filled one by one, first those that share parameters with filled ones, through tables by what is
 * bound. An event is dropped as soon as must-order, tasks or regions forbid it beside one that is already there. Partial matches are shared.
 *
 * A loop can make millions of instances that a person could not distinguish. Their cause is the site of each event: of one cause `perCause` are
 * given, no more than a quarter of them with the same beginning, the nearest first.
 */
import { NONE, type EventId } from '../trace/trace.ts'
import type { Property } from './ast.ts'
import { Tables } from './binding-tables.ts'
import type { Guard, Instance, Run, Slot } from './instance.ts'
import { normalForm, type Alternative } from './normal.ts'
import { occurrences, type Column } from './occurrences.ts'
import { bears, canBeAtOnce, isBefore, placesOf, tasksFit, type PlacedGuard, type Places } from './places.ts'
import type { Mates } from './regions.ts'

export interface FoundInstance extends Instance {
  /** The recorded run itself has these orders: it violates the property. */
  readonly observed: boolean
}

export interface InstanceCounts {
  instances: number
  observed: number
  /** Left out because there were enough of their cause; at least so many. */
  capped: number
  /** Events tried at a place. */
  steps: number
  /** The budget was used up: there may be more. */
  exhausted: boolean
}

export interface InstanceOptions {
  /** Events tried at a place, over all. */
  readonly budget?: number
  readonly perCause?: number
  /** Filled while the instances are taken. */
  readonly counts?: InstanceCounts
}

export const newInstanceCounts = (): InstanceCounts => ({ instances: 0, observed: 0, capped: 0, steps: 0, exhausted: false })

const BUDGET = 5_000_000
const PER_CAUSE = 64
/** So many beginnings in a row that led only to what there is enough of: the next ones with the same cause so far are not tried. */
const MOST_IDLE = 256

export function* instances(property: Property, run: Run, options: InstanceOptions = {}): Generator<FoundInstance, void, undefined> {
  const counts = options.counts ?? newInstanceCounts()
  const alternatives = normalForm(property, property.pattern)
  const found = occurrences(property, run, wanted(property, alternatives))
  const tables = new Tables(found, run)
  for (const alternative of alternatives) {
    if (counts.exhausted) return
    yield* new Filling(run, tables, placesOf(alternative, found.matcher), counts, options).all()
  }
}

/** Declarations that no pattern names cost nothing. */
export function wanted(property: Property, alternatives: readonly Alternative[]): (index: number) => boolean {
  const names = new Set(
    alternatives.flatMap(({ slots, guards, open }) => [...slots, ...guards].map(({ name }) => name).concat(open.map(({ end }) => end))),
  )
  return (index) => names.has(property.events[index]!.name)
}

/** What was found of a cause as far as it is chosen. */
interface Cause {
  given: number
  idle: number
  readonly next: Map<number, Cause>
}

const newCause = (): Cause => ({ given: 0, idle: 0, next: new Map() })

class Filling {
  private readonly events: Int32Array
  private readonly at: Int32Array
  private readonly binding: Int32Array
  /** Places in the order they are filled, and by that order the parameters bound before. */
  private readonly sequence: readonly number[]
  private readonly joins: readonly (readonly number[])[]
  private readonly mates: readonly (Mates | undefined)[]
  private readonly openMates: readonly Mates[]
  private readonly budget: number
  private readonly perCause: number

  constructor(
    private readonly run: Run,
    private readonly tables: Tables,
    private readonly places: Places,
    private readonly counts: InstanceCounts,
    options: InstanceOptions,
  ) {
    const { size, alternative, begin } = places
    this.budget = options.budget ?? BUDGET
    this.perCause = options.perCause ?? PER_CAUSE
    this.events = new Int32Array(size).fill(NONE)
    this.at = new Int32Array(size).fill(NONE)
    this.binding = new Int32Array(tables.matcher.parameters.length)
    this.mates = alternative.slots.map(({ name }, s) =>
      begin[s] === NONE ? undefined : tables.regions.mates(alternative.slots[begin[s]!]!.name, name),
    )
    this.openMates = alternative.open.map((open) => tables.regions.mates(alternative.slots[open.begin]!.name, open.end))
    this.sequence = this.plan()
    this.joins = this.sequence.map((s, depth) => {
      const before = new Set(this.sequence.slice(0, depth).flatMap((q) => places.binds[q]!))
      return places.binds[s]!.filter((p) => before.has(p))
    })
  }

  *all(): Generator<FoundInstance> {
    const { places, tables } = this
    if (places.declaration.some((d) => tables.column(d).length === 0)) return
    yield* this.fill(0, newCause())
  }

  /** Small first, then what hangs together with what is there: ends of regions, shared parameters, the same task on both sides. */
  private plan(): number[] {
    const { places, tables } = this
    const { slots } = places.alternative
    const size = (s: number): number => tables.column(places.declaration[s]!).length
    const chosen: number[] = []
    const left = new Set(slots.keys())
    const bound = new Set<number>()
    const score = (s: number): number => {
      const region = slots[s]!.region
      const mate = region !== undefined && chosen.some((q) => slots[q]!.region?.name === region.name)
      const shared = places.binds[s]!.filter((p) => bound.has(p)).length
      const near = chosen.filter((q) => slots[s]!.task !== undefined && slots[q]!.task === slots[s]!.task)
      const sides = Number(near.some((q) => isBefore(places, q, s))) + Number(near.some((q) => isBefore(places, s, q)))
      return (mate ? 1000 : 0) + 10 * shared + sides
    }
    while (left.size > 0) {
      const best = [...left].reduce((a, b) => {
        const [sa, sb] = [score(a), score(b)]
        return sb > sa || (sb === sa && size(b) < size(a)) ? b : a
      })
      left.delete(best)
      chosen.push(best)
      for (const p of places.binds[best]!) bound.add(p)
    }
    return chosen
  }

  private *fill(depth: number, cause: Cause): Generator<FoundInstance, boolean> {
    const { places, tables, counts } = this
    const s = this.sequence[depth]!
    const last = depth === this.sequence.length - 1
    const column = tables.column(places.declaration[s]!)
    const groups = tables.groups(places.declaration[s]!, this.joins[depth]!, this.binding)
    const [low, high] = this.range(s)
    const reference = depth === 0 ? -1 : this.at[this.sequence[depth - 1]!]!
    const perBeginning = last && depth > 0 ? Math.max(1, Math.ceil(this.perCause / 4)) : Infinity
    let any = false
    for (const [site, rows] of groups) {
      let next = cause.next.get(site)
      if (!next) cause.next.set(site, (next = newCause()))
      let given = 0
      for (const row of nearest(rows, column, low, high, reference)) {
        if (counts.exhausted) return any
        if (next.given >= this.perCause && last) {
          counts.capped++
          break
        }
        if (next.idle >= MOST_IDLE) break
        if (++counts.steps > this.budget) {
          counts.exhausted = true
          return any
        }
        if (!this.place(depth, s, column, row)) continue
        const capped = counts.capped
        let produced = false
        if (!last) produced = yield* this.fill(depth + 1, next)
        else {
          const instance = this.finish()
          if (instance) {
            counts.instances++
            if (instance.observed) counts.observed++
            next.given++
            produced = true
            yield instance
          }
        }
        if (produced) next.idle = 0
        else if (counts.capped > capped) next.idle++
        any ||= produced
        if (produced && ++given >= perBeginning) {
          if (rows.length > given) counts.capped++
          break
        }
      }
    }
    this.clear(depth, s)
    return any
  }

  /** Events of one task attribute stand in the run as the pattern has them: what leads to something was before it. */
  private range(s: number): [number, number] {
    const { places } = this
    const { slots } = places.alternative
    let low = -1
    let high = Infinity
    const task = slots[s]!.task
    if (task === undefined) return [low, high]
    for (let q = 0; q < places.size; q++) {
      if (this.events[q] === NONE || q === s || slots[q]!.task !== task) continue
      if (isBefore(places, q, s)) low = Math.max(low, this.at[q]!)
      else if (isBefore(places, s, q)) high = Math.min(high, this.at[q]!)
    }
    return [low, high]
  }

  /** Puts a row into a place if it fits beside all that stand. */
  private place(depth: number, s: number, column: Column, row: number): boolean {
    this.clear(depth, s)
    const event = column.event(row)
    for (let d = 0; d < depth; d++) if (!this.fitsBeside(this.sequence[d]!, s, event)) return false
    this.events[s] = event
    this.at[s] = column.at.at(row)
    for (let b = 0; b < column.binds.length; b++) this.binding[column.binds[b]!] = column.codes[b]!.at(row)
    if (this.conditionsHold(depth)) return true
    this.clear(depth, s)
    return false
  }

  private clear(depth: number, s: number): void {
    if (this.events[s] === NONE) return
    this.events[s] = NONE
    for (const p of this.places.binds[s]!) if (!this.joins[depth]!.includes(p)) this.binding[p] = 0
  }

  private fitsBeside(q: number, s: number, event: EventId): boolean {
    const { places, run, events } = this
    const other = events[q]!
    if (other === event) return false
    if (isBefore(places, q, s)) {
      if (!run.mayPrecede(other, event) || !tasksFit(run, places, q, other, s, event)) return false
    } else if (isBefore(places, s, q)) {
      if (!run.mayPrecede(event, other) || !tasksFit(run, places, s, event, q, other)) return false
    } else if (!tasksFit(run, places, q, other, s, event) && !tasksFit(run, places, s, event, q, other)) return false
    const { parallel } = places.alternative
    if (parallel && (parallel[0] === q || parallel[1] === q) && (parallel[0] === s || parallel[1] === s) && !canBeAtOnce(run, other, event))
      return false
    if (places.begin[s] === q && this.mates[s]!.get(other) !== event) return false
    return places.begin[q] !== s || this.mates[q]!.get(event) === other
  }

  /** Conditions that ask for parameters of other places, once the last of them is bound. One that is never bound makes them fail. */
  private conditionsHold(depth: number): boolean {
    const { places } = this
    const open = (p: number): boolean => this.binding[p] === 0
    for (let d = 0; d <= depth; d++) {
      const s = this.sequence[d]!
      const asks = places.asks[s]!
      if (asks.length === 0) continue
      if (depth < this.sequence.length - 1 && asks.some(open)) continue
      if (!this.tables.matcher.conditionHolds(places.declaration[s]!, this.events[s]!, this.binding)) return false
    }
    return true
  }

  private finish(): FoundInstance | undefined {
    const { places, run } = this
    const { alternative } = places
    const guards: Guard[] = []
    for (const guard of places.guards) {
      const events = this.forbidden(guard)
      if (events === undefined) return undefined
      guards.push({ name: guard.name, events, after: guard.after, before: guard.before })
    }
    for (const [i, { begin, end }] of alternative.open.entries()) {
      const mate = this.openMates[i]!.get(this.events[begin]!)
      if (mate !== undefined && alternative.parallel?.some((p) => !run.mayPrecede(this.events[p]!, mate))) return undefined
      guards.push({ name: end, events: mate === undefined ? [] : [mate], after: begin, before: NONE })
    }
    const slots: Slot[] = alternative.slots.map(({ name, task }, s) => ({ name, event: this.events[s]!, task }))
    return {
      binding: this.binding.slice(),
      slots,
      before: alternative.before,
      parallel: alternative.parallel,
      guards,
      observed: this.isObserved(guards),
    }
  }

  /** The events that a guard keeps out, without those that cannot come in between; undefined if one always does. */
  private forbidden(guard: PlacedGuard): EventId[] | undefined {
    const { tables, run, places, binding, counts } = this
    const column = tables.column(guard.declaration)
    const after = guard.after === NONE ? NONE : this.events[guard.after]!
    const before = guard.before === NONE ? NONE : this.events[guard.before]!
    const found: EventId[] = []
    for (const rows of tables.groups(guard.declaration, guard.keyed, binding).values()) {
      for (const row of rows) {
        const event = column.event(row)
        counts.steps++
        if (event === after || event === before) continue
        if (guard.task !== undefined && !bears(run, places, this.events, guard.task, event)) continue
        if (guard.asks.length > 0 && !tables.matcher.conditionHolds(guard.declaration, event, binding)) continue
        if (after !== NONE && !run.mayPrecede(after, event)) continue
        if (before !== NONE && !run.mayPrecede(event, before)) continue
        if (before !== NONE && !run.mayPrecede(before, event) && (after === NONE || !run.mayPrecede(event, after))) return undefined
        found.push(event)
      }
    }
    return found
  }

  private isObserved(guards: readonly Guard[]): boolean {
    const { alternative } = this.places
    if (alternative.before.some(([a, b]) => this.at[a]! > this.at[b]!)) return false
    const end = alternative.parallel ? Math.max(...alternative.parallel.map((p) => this.at[p]!)) : Infinity
    return guards.every(({ events, after, before }) =>
      events.every((event) => {
        const at = this.tables.placeOf(event)
        if (alternative.parallel?.some((p) => this.events[p] === event)) return true
        return (after !== NONE && at < this.at[after]!) || at > (before === NONE ? end : this.at[before]!)
      }),
    )
  }
}

/** Rows between two places of the order, those nearest to the reference first. Rows are in the order of the run. */
function* nearest(rows: readonly number[], column: Column, low: number, high: number, reference: number): Generator<number> {
  const first = lowest(rows, column, low + 1)
  const end = high === Infinity ? rows.length : lowest(rows, column, high)
  let right = Math.min(Math.max(lowest(rows, column, reference), first), end)
  let left = right - 1
  while (left >= first || right < end) {
    const takeRight = left < first || (right < end && column.at.at(rows[right]!) - reference <= reference - column.at.at(rows[left]!))
    yield takeRight ? rows[right++]! : rows[left--]!
  }
}

/** The first row at or after a place of the order. */
function lowest(rows: readonly number[], column: Column, at: number): number {
  let lo = 0
  let hi = rows.length
  while (lo < hi) {
    const mid = (lo + hi) >>> 1
    if (column.at.at(rows[mid]!) < at) lo = mid + 1
    else hi = mid
  }
  return lo
}
