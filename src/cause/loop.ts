/**
 * What a failing run of an event loop reversed: conflicting accesses that no cause orders, that the recorded run has in one order and the failing run
 * in the other, and of which the late one depends on what was delayed. The most useful one for the user comes first: the user's own code before
 * packages, outside resources and named locations before numbered objects, an interrupted update before a mere order.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { LoopView } from '../causal/loop/turns.ts'
import { locationOf, steps, summaryOf, whyOf } from '../predict/loop/describe.ts'
import { patternOf, siteOf, type Shape } from '../predict/loop/pattern.ts'
import { recordedUnits } from '../predict/loop/played-order.ts'
import { lastLookOf, Proposals, type Pair } from '../predict/loop/propose.ts'
import { isOutside, lineOf, shapeOf } from '../predict/loop/shape.ts'
import type { Delay, DelaySchedule } from '../schedule/schedule.ts'
import { effectOf, isEffect, opOfEffect, type TurnId, type Unit } from '../trace/loop.ts'
import { NONE } from '../trace/trace.ts'
import type { Turned } from './turned.ts'

/** What the program does before it looks at its results explains a failure better than that look, which is tried last. */
const LAST_LOOK = 24

/** Best first. */
export function turnedIn(recorded: LoopView, failing: LoopView, { delays, timers }: DelaySchedule): Turned[] {
  const there = new Counterparts(recorded, failing, delays)
  const late = lateUnits(recorded, delays)
  const found = new Map<string, Turned>()
  const isLastLook = lastLookOf(recorded)
  for (const cause of new Proposals(recorded, true).causes) {
    for (const pair of cause.pairs) {
      if (!late(pair, recorded) || !there.turnsRound(pair)) continue
      const described = describe(recorded, there, pair, delays, timers === 'latency')
      const turned = isLastLook(pair.v) ? { ...described, isLastLook: true, points: Math.max(1, described.points - LAST_LOOK) } : described
      const known = found.get(turned.fingerprint)
      if (!known || known.points < turned.points) found.set(turned.fingerprint, turned)
      break
    }
  }
  return [...found.values()].sort((a, b) => b.points - a.points)
}

/** What a finding says of a pair that another run reverses. */
export const turnedPair = (recorded: LoopView, failing: LoopView, pair: Pair, { delays, timers }: DelaySchedule): Turned =>
  describe(recorded, new Counterparts(recorded, failing, delays), pair, delays, timers === 'latency')

/** The units of one run in the other. */
class Counterparts {
  private readonly turns = new Map<string, TurnId>()
  /** Only their answers were late: the effect was there long before. */
  private readonly answeredLate = new Set<string>()
  private doings: ReadonlyMap<string, TurnId> | undefined

  constructor(
    private readonly recorded: LoopView,
    private readonly failing: LoopView,
    delays: readonly Delay[],
  ) {
    for (const delay of delays) if (delay.do === 'hold' && delay.at === 'finish') this.answeredLate.add(delay.what.label)
    for (let t = 0; t < failing.turnCount; t++) this.turns.set(`${failing.labelOf(t)} ${failing.turnNth[t]}`, t)
  }

  /** Where a recorded unit stands in the failing run; Infinity where it has not come. */
  place(unit: Unit): number {
    const { failing } = this
    const there = this.of(unit)
    if (there === undefined || failing.turnOf(there) === NONE) return Infinity
    if (isEffect(there) && this.answeredLate.has(failing.opLabel[opOfEffect(there)]!))
      return 2 * failing.opPostTurn[opOfEffect(there)]! + 1.5
    return failing.positionOf(there)
  }

  time(unit: Unit): number {
    const { failing } = this
    const there = this.of(unit)
    return failing.turnTime[there === undefined ? NONE : failing.turnOf(there)] ?? failing.turnTime[failing.turnCount - 1] ?? 0
  }

  private of(unit: Unit): Unit | undefined {
    const { recorded, failing } = this
    if (!isEffect(unit)) return this.byChain(unit) ?? this.turns.get(`${recorded.labelOf(unit)} ${recorded.turnNth[unit]}`)
    const op = failing.findOp(recorded.opLabel[opOfEffect(unit)]!)
    return op === NONE ? undefined : effectOf(op)
  }

  /** What a server does for a request may come on another connection, and so in a turn of another name: there it is by what it does. */
  private byChain(unit: TurnId): TurnId | undefined {
    const { recorded, failing } = this
    this.doings ??= new Map(
      [...failing.accesses.unit].flatMap((there, a): [string, TurnId][] => (isEffect(there) ? [] : [[doing(failing, a), there]])).reverse(),
    )
    for (const a of recorded.accesses.of(unit)) {
      const found = recorded.namedChain(recorded.accesses.chain[a]!) === NONE ? undefined : this.doings.get(doing(recorded, a))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The second of the recorded run has come, and the first only after it, or not at all. Both must still do what they did. */
  turnsRound({ u, v }: Pair): boolean {
    const { unit } = this.recorded.accesses
    const [first, second] = [this.place(unit[u]!), this.place(unit[v]!)]
    return second !== Infinity && second < first && this.doesIt(v) && (first === Infinity || this.doesIt(u))
  }

  /** Is it a read of what it read in the recorded run? */
  seesTheSame(access: number): boolean {
    const { recorded, failing } = this
    const there = recorded.accesses.write[access] ? undefined : this.access(access)
    if (there === undefined) return false
    const [before, now] = [seenBy(recorded, access), seenBy(failing, there)]
    return before !== '' && before === now
  }

  /** Has its unit the same access in the failing run? */
  private doesIt(access: number): boolean {
    return this.access(access) !== undefined
  }

  private access(access: number): number | undefined {
    const { recorded, failing } = this
    const { accesses } = recorded
    const there = this.of(accesses.unit[access]!)
    if (there === undefined) return undefined
    const site = siteOf(recorded, access)
    for (const a of failing.accesses.of(there))
      if (failing.accesses.write[a] === accesses.write[access] && siteOf(failing, a) === site) return a
    return undefined
  }
}

/** What a read sees: the value that was written last; empty where that is not known. */
function seenBy({ trace, accesses }: LoopView, read: number): string {
  const { write, value, location, locationStart } = accesses
  for (let a = read - 1; a >= locationStart[location[read]!]!; a--) if (write[a]) return trace.tables.values.textOf(value[a]!)
  return ''
}

/** An access by its chain and place in the source. */
const doing = (view: LoopView, access: number): string =>
  `${view.opLabel[view.accesses.chain[access]!] ?? ''} ${view.accesses.write[access]} ${siteOf(view, access)}`

/** Does the first of a pair come late because of a delay? What is held is late, and all that follows from it; after a stall all but what the timer leads to. */
function lateUnits(view: LoopView, delays: readonly Delay[]): (pair: Pair, view: LoopView) => boolean {
  const held: { readonly op: number; readonly turn: TurnId }[] = []
  const stalled: TurnId[] = []
  for (const delay of delays) {
    // What is waylaid is not known by its label.
    if (delay.do === 'waylay') return () => true
    const op = view.findOp(delay.do === 'hold' ? delay.what.label : delay.after)
    if (op === NONE) continue
    const nth = delay.do === 'hold' ? delay.what.nth : 1
    let turn = view.opTurn[op]!
    while (turn !== NONE && turn < view.turnCount && (view.turnOp[turn] !== op || view.turnNth[turn]! < nth)) turn++
    if (delay.do === 'hold') held.push({ op, turn })
    else if (turn !== NONE) stalled.push(turn)
  }
  const follows = (turn: TurnId, unit: Unit): boolean => {
    if (turn === NONE || turn >= view.turnCount) return false
    const begin = isEffect(unit) ? view.opPostTurn[opOfEffect(unit)]! : unit
    return begin !== NONE && (view.tree.holds(turn, begin) || view.mayWaitFor(begin, turn))
  }
  return ({ u, v }) => {
    const { unit } = view.accesses
    const isHeld = held.some(({ op, turn }) => unit[u] === effectOf(op) || follows(turn, unit[u]!))
    return isHeld || stalled.some((turn) => follows(turn, unit[v]!))
  }
}

function describe(view: LoopView, there: Counterparts, pair: Pair, delays: readonly Delay[], latency: boolean): Turned {
  const { accesses } = view
  const { u, v } = pair
  const second = there.place(accesses.unit[v]!)
  const first = there.place(accesses.unit[u]!)
  // What comes before the other as a whole is not broken into.
  const shape = patternOf(
    view,
    u,
    v,
    (unit) => there.place(unit) < second,
    (unit) => there.place(unit) >= first,
  )
  const shown = shape.third === NONE ? [u, v] : [u, v, shape.third]
  const units = [...new Set(shown.map((a) => accesses.unit[a]!))]
  const location = locationOf(view, u)
  const sites = [...new Set(shown.map((a) => siteOf(view, a)))].filter((site) => site !== '')
  const inFailing = units.map((unit) => ({ unit, at: there.time(unit) })).sort((a, b) => there.place(a.unit) - there.place(b.unit))
  return {
    kind: shape.kind,
    pattern: shape.pattern,
    fingerprint: fingerprintOf([shape.kind, shape.pattern, lineOf(siteOf(view, u)), lineOf(siteOf(view, v)), shapeOf(location)]),
    summary: summaryOf(location, shape),
    sites,
    locations: [location],
    observed: steps(view, recordedUnits(view, units), [location], shown),
    failing: steps(view, inFailing, [location], shown),
    why: whyOf(
      view,
      accesses.unit[u]!,
      accesses.unit[v]!,
      { instructions: delays.filter((d) => d.do !== 'waylay'), uncertain: false },
      latency,
    ),
    points: pointsOf(view, there, pair, shape, location, [siteOf(view, u), siteOf(view, v)]),
  }
}

/** Judgement, not measurement: see the head of the file. */
function pointsOf(view: LoopView, there: Counterparts, { u, v }: Pair, shape: Shape, location: string, sites: readonly string[]): number {
  const { unit } = view.accesses
  const numbered = /^[A-Za-z_$][\w$]*#\d+/.test(location)
  // A key of a map is a name that the user gave.
  const isKeyed = /<"[^"]+">$/.test(location)
  let points = 0
  for (const site of sites) points += site !== '' && !site.includes('node_modules/') ? 10 : 0
  points += isOutside(location) || isKeyed || /^(file|dir|port):/.test(location) ? 8 : numbered ? 2 : 6
  if (shape.kind === 'atomicity') points += 6
  // Nearer to the end of the run is nearer to the failure.
  const last = Math.max(...[u, v].map((a) => there.place(unit[a]!)).filter((place) => place !== Infinity))
  points += (4 * last) / (2 * view.turnCount)
  if (there.place(unit[u]!) === Infinity) points -= 8
  // Who sees the same as before does the same as before.
  for (const a of [u, v]) if (there.seesTheSame(a)) points -= 9
  return points
}
