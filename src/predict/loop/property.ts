/**
 * Propose, decide, check for violations of properties and typestates in other orders of an event loop: predictions, best first. The replay confirms
 * them: it checks the property in the run itself.
 */
import type { OrderAccess } from '../../schedule/order.ts'
import type { Doing } from '../../causal/loop/leads.ts'
import type { LoopRun } from '../../causal/loop/run.ts'
import type { Declaration, Property, Typestate } from '../../property/ast.ts'
import { format } from '../../property/format.ts'
import type { Guard, Slot } from '../../property/instance.ts'
import { instances, newInstanceCounts } from '../../property/instances.ts'
import { seenFromBegin } from '../../property/machine.ts'
import { bindingTexts, eventName, eventSite, eventValue, eventWord, plainValue, saysOf, type PropertyNote } from '../../property/words.ts'
import { keyOf, type DelaySchedule } from '../../schedule/schedule.ts'
import { CALL } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { pairInstance, typestatePairs } from '../typestate/pairs.ts'
import { rankCauses } from '../typestate/rank.ts'
import { CoverageRow, type LeftOut } from '../../coverage.ts'
import type { Prediction } from '../prediction.ts'
import { LoopDecider, type Feasible, type LoopAnswer, type Wish } from './decide.ts'
import { rowOf, whyOf } from './describe.ts'
import { PlayedOrder, recordedUnits, type Placed } from './played-order.ts'
import type { LoopOptions } from './prediction.ts'
import { callersOf, scheduleOf } from './schedule.ts'
import { fingerprintOf } from '../../base/fingerprint.ts'
import { lineOf } from './shape.ts'

export interface PropertyPrediction extends Prediction {
  readonly kind: 'property' | 'typestate'
  readonly property: PropertyNote
}

export interface PropertyOptions extends LoopOptions {
  readonly declarations: readonly Declaration[]
  /** What earlier checks tried in vain. */
  readonly attempts?: {
    inVain(wanted: Wanted): boolean
    note(prediction: PropertyPrediction, wanted: Wanted): void
  }
}

/** Candidates of one cause: the same places of a pattern filled by events at the same sites. */
interface Cause {
  readonly declaration: Declaration
  readonly wanted: Wanted[]
  count: number
  readonly points: number
}

/** Events in the order that breaks it. */
export interface Wanted {
  readonly declaration: Declaration
  readonly slots: readonly Slot[]
  readonly orders: readonly (readonly [number, number])[]
  readonly guards: readonly Guard[]
  /** Orders that guards ask for: what stood between in the recorded run must not. */
  readonly clears?: readonly (readonly [EventId, EventId])[]
  /** It is about two events that can come in either order. */
  readonly parallel?: boolean
  readonly binding: Int32Array
  /** Of a typestate: the operation that comes, and the state of the object that does not permit it. */
  readonly operation?: string
  readonly state?: string
}

/** Candidates of one cause that are decided before giving up on it. */
const TRIES = 4
const KEPT_PER_CAUSE = 8
const MOST_SITES = 12
/** Of a loose schedule: how many times something is held in vain, and how much longer than the recorded run it may take. */
const MOST_WAYLAID = 8
const LOOSE_MARGIN_MS = 1000
/** What one property may take: steps of the enumeration, and turns that are played to decide. */
const BUDGET = 2_000_000
const MOST_PLAYED = 3_000_000
/** What a question costs before anything is played, in turns. */
const ASKING = 1000

export function* predictProperties(run: LoopRun, options: PropertyOptions): Generator<PropertyPrediction, void, undefined> {
  const { declarations, coverage: row = new CoverageRow('properties') } = options
  row.facts['properties'] = declarations.length
  const causes = declarations.flatMap((d) => (d.kind === 'property' ? propertyCauses(d, run, row) : typestateCauses(d, run, row)))
  causes.sort((a, b) => b.points - a.points)
  row.causes += causes.length
  for (const { count } of causes) row.propose(count)
  const decider = new LoopDecider(run.view, options.timers)
  const known = new Set<string>()
  const played = new Map<Declaration, number>()
  let given = 0
  let i = 0
  const isLate = (): boolean => options.deadline !== undefined && performance.now() > options.deadline
  try {
    for (; i < causes.length; i++) {
      const cause = causes[i]!
      if (given >= (options.limit ?? Infinity) || isLate()) return
      const spent = played.get(cause.declaration) ?? 0
      const leftOut = options.attempts?.inVain(cause.wanted[0]!) ? 'history' : spent > MOST_PLAYED ? 'limit' : undefined
      if (leftOut) {
        row.settle('notLookedAt', leftOut, cause.count)
        continue
      }
      const before = decider.turnsPlayed
      const found = decideCause(cause, (wanted) => decide(run, decider, wanted), row)
      played.set(cause.declaration, spent + ASKING + decider.turnsPlayed - before)
      if (!found) continue
      const prediction = predictionOf(run, decider, found.wanted, found.answer, cause, options)
      const [schedule, fingerprint] = [`${cause.declaration.name} ${keyOf(prediction.schedule)}`, prediction.fingerprint]
      const isKnown = known.has(schedule) || known.has(fingerprint)
      row.settle(isKnown ? 'grouped' : 'feasible', 'played')
      if (isKnown) continue
      known.add(schedule).add(fingerprint)
      given++
      options.attempts?.note(prediction, found.wanted)
      yield prediction
    }
  } finally {
    const why: LeftOut = isLate() ? 'time' : 'limit'
    for (const cause of causes.slice(i)) row.settle('notLookedAt', why, cause.count)
  }
}

/** The first of its candidates that there is an order of. All of them are counted, but that one. */
function decideCause(
  { wanted: all, count }: Cause,
  decideOne: (wanted: Wanted) => LoopAnswer,
  row: CoverageRow,
): { wanted: Wanted; answer: Feasible } | undefined {
  let left = count
  for (const wanted of all.slice(0, Math.min(TRIES, count))) {
    const answer = decideOne(wanted)
    left--
    if (answer.verdict === 'feasible') {
      row.settle('grouped', '', left)
      return { wanted, answer }
    }
    row.settle(answer.verdict, answer.verdict === 'infeasible' ? answer.rule : 'orders tried')
  }
  row.settle('notLookedAt', 'tries', left)
  return undefined
}

function propertyCauses(property: Property, run: LoopRun, row: CoverageRow): Cause[] {
  const causes = new Map<string, { declaration: Declaration; wanted: Wanted[]; count: number; points: number }>()
  const counts = newInstanceCounts()
  for (const { slots, before, parallel, guards, binding } of instances(property, run, {
    budget: BUDGET,
    perCause: KEPT_PER_CAUSE,
    counts,
  })) {
    // On a loop two things can come at once when either can come first: the other way round than recorded is the one to see.
    const orders = parallel ? [...before, turnedRound(run, slots, parallel)] : before
    const clears = clearing(run, slots, guards)
    const asRecorded = orders.every(([a, b]) => run.isBefore(slots[a]!.event, slots[b]!.event))
    // What stands between two events and can go nowhere else rules it out.
    if (clears === undefined) row.ruledOut('must-order', 1)
    if (clears === undefined || (asRecorded && clears.length === 0)) continue
    const key = slots.map((slot) => `${slot.name} ${run.trace.site[slot.event]}`).join(' ')
    const known = causes.get(key)
    const wanted = { declaration: property, slots, orders, guards, clears, binding, parallel: parallel !== undefined }
    if (known) {
      known.count++
      if (known.wanted.length < KEPT_PER_CAUSE) known.wanted.push(wanted)
    } else causes.set(key, { declaration: property, wanted: [wanted], count: 1, points: pointsOf(run, slots) })
  }
  if (counts.exhausted) forgotten(row, 1)
  return [...causes.values()].map((cause) => ({ ...cause, points: cause.points - Math.log2(cause.count) }))
}

/** Operations let go to bound the memory, and properties whose places could not all be filled: there may be more. */
function forgotten(row: CoverageRow, n: number): void {
  if (n === 0) return
  row.facts['forgotten'] = (row.facts['forgotten'] ?? 0) + n
  row.atLeast = true
}

const turnedRound = (run: LoopRun, slots: readonly Slot[], [a, b]: readonly [number, number]): readonly [number, number] =>
  run.isBefore(slots[a]!.event, slots[b]!.event) ? [b, a] : [a, b]

function typestateCauses(typestate: Typestate, run: LoopRun, row: CoverageRow): Cause[] {
  const { causes, counts } = typestatePairs(typestate, run, { perCause: KEPT_PER_CAUSE })
  forgotten(row, counts.expired + counts.forgotten)
  return rankCauses(causes).map((cause, i, all) => {
    const wanted = cause.pairs.map((pair): Wanted => {
      const { slots, before, guards, binding } = pairInstance(cause, pair)
      // (a): the second changes the state, and the first is not permitted in the new one. (b): the second is not permitted in the old one.
      const [state, operation] = pair.scenario === 'a' ? [pair.stateAfter, cause.operations[0]] : [pair.stateBefore, cause.operations[1]]
      return { declaration: typestate, slots, orders: before, guards, binding, state, operation }
    })
    const points = pointsOf(run, wanted[0]!.slots) + (all.length - i) / all.length
    return { declaration: typestate, wanted, count: cause.occurrences, points }
  })
}

/** Code of packages first, then what is far apart and rare: the order in which the paper of typestates tries them. */
function pointsOf(run: LoopRun, slots: readonly Slot[]): number {
  const places = slots.map((slot) => run.view.positionOf(run.doing(slot.event).unit))
  const inPackage = slots.some((slot) => eventSite(run.trace, slot.event).includes('node_modules/')) ? 1 : 0
  return 4 * inPackage + Math.log2(1 + Math.max(...places) - Math.min(...places)) / 4
}

/** What a guard forbids and the recorded run has in between has to come later or, where it cannot, earlier. Undefined if it can do neither. */
function clearing(run: LoopRun, slots: readonly Slot[], guards: readonly Guard[]): [EventId, EventId][] | undefined {
  const clears: [EventId, EventId][] = []
  for (const { events, after, before } of guards) {
    const from = after === NONE ? undefined : slots[after]!.event
    const to = before === NONE ? undefined : slots[before]!.event
    for (const e of events) {
      if (isInside(run, from, e, to)) return undefined
      if ((from !== undefined && !run.isBefore(from, e)) || (to !== undefined && !run.isBefore(e, to))) continue
      if (to !== undefined && run.mayPrecede(to, e)) clears.push([to, e])
      else if (from !== undefined && run.mayPrecede(e, from)) clears.push([e, from])
      else return undefined
    }
  }
  return clears
}

/** Turns are atomic: what follows `from` in its turn comes before all that is in others, and so for what leads up to `to`. */
function isInside(run: LoopRun, from: EventId | undefined, e: EventId, to: EventId | undefined): boolean {
  const unitOf = (event: EventId | undefined): number | undefined => (event === undefined ? undefined : run.doing(event).unit)
  const [first, mine, last] = [unitOf(from), unitOf(e), unitOf(to)]
  if (first === last) return false
  return (first === mine && run.isBefore(from!, e)) || (last === mine && run.isBefore(e, to!))
}

/** Is there an order that a loop can run in which these are in the way that is wanted? */
export function decide(run: LoopRun, decider: LoopDecider, { slots, orders, guards, clears = [] }: Wanted): LoopAnswer {
  const doing = (slot: number): Doing => run.doing(slots[slot]!.event)
  const wishes = [
    ...orders.map(([a, b]): Wish => [doing(a), doing(b)]),
    ...clears.map(([first, then]): Wish => [run.doing(first), run.doing(then)]),
  ]
  if (guards.length === 0) return decider.decide(wishes)
  const inTheWay = new Map<string, Wish>()
  const accepts = (order: PlayedOrder): boolean =>
    guards.every(({ events, after, before }, g) =>
      events.every((e) => {
        const between = run.doing(e)
        const tooEarly = after !== NONE && order.isBefore(between, doing(after))
        if (tooEarly || (before !== NONE && order.isBefore(doing(before), between))) return true
        if (before !== NONE && run.mayPrecede(slots[before]!.event, e)) inTheWay.set(`${g} ${e}`, [doing(before), between])
        return false
      }),
    )
  const answer = decider.decide(wishes, accepts)
  if (answer.verdict === 'infeasible' || (answer.verdict === 'feasible' && !answer.lucky) || inTheWay.size === 0) return answer
  // What came in between in the orders that were tried shall come later as well.
  const again = decider.decide([...wishes, ...inTheWay.values()], accepts)
  return again.verdict === 'feasible' ? again : answer
}

function predictionOf(
  run: LoopRun,
  decider: LoopDecider,
  wanted: Wanted,
  answer: Feasible,
  cause: Cause,
  options: PropertyOptions,
): PropertyPrediction {
  const { view, trace } = run
  const { declaration, slots, binding } = wanted
  const [u, v] = answer.flip
  const units = [...new Set(slots.map((slot) => run.doing(slot.event).unit))]
  const note: PropertyNote = {
    name: declaration.name,
    text: format({ declarations: [declaration] }),
    confirm: declaration.confirm,
    binding: bindingTexts(declaration, binding, trace),
    ...(wanted.parallel ? { bothOrders: true } : {}),
    ...(declaration.kind === 'typestate' && seenFromBegin(declaration, run) ? { fromBegin: true } : {}),
    ...(wanted.state === undefined ? {} : { state: wanted.state }),
    ...(wanted.operation === undefined ? {} : { operation: wanted.operation }),
  }
  const rows = (order: readonly Placed[]) =>
    order.map(({ unit, at }) => {
      const own = slots.filter((slot) => run.doing(slot.event).unit === unit)
      return rowOf(
        view,
        { unit, at, chain: run.doing(own[0]!.event).chain },
        own.map((slot) => accessOf(trace, slot.event)),
      )
    })
  const places = slots.map((slot) => eventSite(trace, slot.event).split(' < '))
  const schedule = scheduleOf(view, decider, answer, [v, u], options)
  const sites = [...new Set([...places.map((chain) => chain[0]!), ...places.flat(), ...callersOf(view, [u, v], answer)])]
  return {
    kind: declaration.kind,
    pattern: declaration.name,
    property: note,
    sites: sites.filter((site) => site !== '').slice(0, MOST_SITES),
    locations: Object.values(note.binding).map(plainValue),
    fingerprint: fingerprintOf([declaration.kind, declaration.name, ...slots.map((s, i) => `${s.name} ${lineOf(places[i]![0]!)}`)]),
    schedule,
    ...looseOf(run, wanted, schedule),
    summary: saysOf(declaration, note, slots),
    observed: rows(recordedUnits(view, units)),
    failing: rows(new PlayedOrder(view, answer.played).units(units, (unit) => slots.findIndex((s) => run.doing(s.event).unit === unit))),
    why: whyOf(view, u, v, answer, options.timers === 'latency'),
    count: cause.count,
    score: cause.points,
  }
}

/** What is held, by its place in the source, until the call that shall come first: seed 001, section 3.4. */
function looseOf(run: LoopRun, { slots }: Wanted, schedule: DelaySchedule): { loose?: DelaySchedule } {
  const { view, trace } = run
  const [held] = schedule.delays
  const first = slots.find(
    (slot) => trace.op[slot.event] === CALL && view.labelOf(run.doing(slot.event).unit) === schedule.expect.first.label,
  )
  if (held?.do !== 'hold' || schedule.delays.length > 1 || !first) return {}
  const op = view.findOp(held.what.label)
  const posted = op === NONE ? '' : view.postedAt(op).split(' < ')[0]!
  const at = eventSite(trace, first.event).split(' < ')[0]!
  if (posted === '' || at === '') return {}
  const call = eventName(trace, first.event).split('.').at(-1)!
  const kind = view.queueOf(op).split(' ')[0]!
  return {
    loose: {
      ...schedule,
      delays: [{ do: 'waylay', kind, posted, until: { call, at }, most: MOST_WAYLAID, note: held.note }],
      horizon: Math.ceil(view.turnTime[view.turnCount - 1]! * 2) + LOOSE_MARGIN_MS,
    },
  }
}

function accessOf(trace: Trace, e: EventId): OrderAccess {
  const value = eventValue(trace, e)
  const site = eventSite(trace, e).split(' < ')[0]!
  return { access: eventWord(trace, e), location: eventName(trace, e), ...(value === '' ? {} : { value }), site }
}
