/**
 * Decides flips: is there an order a real loop can run in which v comes before u, and which instructions lead to it? Three kinds of instructions are
 * tried. Each is simulated on the recorded turns (simulate.ts) and accepted only if the independent checker accepts the order:
 *
 *   delay an I/O operation that u needs and v does not, until v
 *   pause the program right after the post of a timer that v needs and u does not, until that timer is due
 *   with `--timers latency`: delay a timer or a stub like I/O
 */
import type { LoopView } from '../../causal/loop/turns.ts'
import { CLOSE, IMMEDIATE, IO, isEffect, opOfEffect, STUB, TIMER, type TurnId, type Unit } from '../../trace/loop.ts'
import { waitsFor, type Doing } from '../../causal/loop/leads.ts'
import type { Hold, Stall, Timers, UnitName } from '../../schedule/schedule.ts'
import { NONE } from '../../trace/trace.ts'
import { LoopChecker, type Rule } from '../../witness/loop/check.ts'
import { PlayedOrder } from './played-order.ts'
import { lockedBy } from './protection.ts'
import { MOST_TURNS, Simulator, type Play, type Played } from './simulate.ts'

export interface Feasible {
  readonly verdict: 'feasible'
  readonly played: Played
  readonly instructions: readonly (Hold | Stall)[]
  readonly uncertain: boolean
  /** Not all orders asked for are brought about by the instructions: some need I/O that is quick. */
  readonly lucky: boolean
  /** Time of v in the witness, in ms. */
  readonly at: number
  /** The two units the instructions turn round: `u`, then `v` in the recording. */
  readonly flip: readonly [Unit, Unit]
}

/** The first is to come before the second. */
export type Wish = readonly [Doing, Doing]
/** What else an order has to be. */
export type Accepts = (order: PlayedOrder) => boolean

export type LoopAnswer =
  Feasible | { readonly verdict: 'infeasible'; readonly rule: string } | { readonly verdict: 'unknown'; readonly why: string }

interface Attempt {
  readonly u: Unit
  /** What shall come before it. */
  readonly first: Unit
  readonly play: Play
  readonly instructions: readonly (Hold | Stall)[]
  /** What has to come after v for the flip to be certain: u, or the turn that posts it. */
  readonly last: Unit
}

/** Ancestors tried, nearest first. */
const MOST_ANCESTORS = 4
/** Attempts of each of two flips that are tried together. */
const MOST_TOGETHER = 3
/** Orders that are turned round at once: with more there is little hope, and trying takes its time. */
const MOST_FLIPS = 8
const MOST_ATTEMPTS = 32
/** Turns played for one question. */
const MOST_PLAYED = 60_000

export class LoopDecider {
  /** Turns that were played in all: what deciding costs. */
  turnsPlayed = 0
  private readonly simulator: Simulator
  private readonly checker: LoopChecker

  constructor(
    private readonly view: LoopView,
    private readonly timers: Timers,
  ) {
    this.simulator = new Simulator(view, timers)
    this.checker = new LoopChecker(view, timers)
  }

  /** Is there an order in which the first of each pair comes before the second? At least one pair was recorded the other way round. */
  decide(orders: readonly Wish[], accepts?: Accepts): LoopAnswer {
    const { view } = this
    // One alone may ask for two effects whose order was not seen.
    const flips =
      orders.length === 1
        ? orders
        : orders.filter(([first, then]) => first.unit !== then.unit && view.positionOf(first.unit) > view.positionOf(then.unit))
    for (const [first, then] of flips) {
      if (view.before(then.unit, first.unit)) return { verdict: 'infeasible', rule: 'after its post' }
      if (waitsFor(view, then.unit, first)) return { verdict: 'infeasible', rule: 'after what it waits for' }
      const rule = this.forcedBy(then.unit, first.unit) ?? lockedBy(view, then.unit, first.unit)
      if (rule) return { verdict: 'infeasible', rule }
    }
    let refused: Rule | undefined
    let tried = 0
    const units = distinct(flips)
    if (units.length > MOST_FLIPS) return { verdict: 'unknown', why: `${units.length} orders would have to be turned round` }
    if (units.some(([first, then]) => Math.abs(view.positionOf(first.unit) - view.positionOf(then.unit)) > 2 * MOST_TURNS))
      return { verdict: 'unknown', why: `more than ${MOST_TURNS} turns lie between the two` }
    const until = this.turnsPlayed + MOST_PLAYED
    for (const attempt of this.allAttempts(units)) {
      if (tried++ === MOST_ATTEMPTS || this.turnsPlayed > until) break
      const played = this.play(attempt, orders, accepts)
      if (!played) continue
      const broken = this.checker.check(played)
      if (broken) {
        refused = broken.rule
        continue
      }
      const at = played.times[played.order.indexOf(attempt.first)]!
      const uncertain = this.seesOthers(played, attempt.last, attempt.first)
      const lucky = attempt.play.quick === true && (orders.length > 1 || accepts !== undefined)
      return { verdict: 'feasible', played, instructions: attempt.instructions, uncertain, lucky, at, flip: [attempt.u, attempt.first] }
    }
    return {
      verdict: 'unknown',
      why: refused ? `the order found breaks "${refused}"` : tried > 0 ? 'no instruction leads to the order' : 'nothing can be held',
    }
  }

  /** What the attempt leads to, if all orders hold in it; played on until everything they speak of has run, where it does. */
  private play({ play, first, last }: Attempt, orders: readonly Wish[], accepts?: Accepts): Played | undefined {
    const { view } = this
    const played = this.simulate(play, first, last)
    if (!played.reached) return undefined
    if (orders.length === 1 && !accepts) return new PlayedOrder(view, played).isThere(orders[0]![0]) ? played : undefined
    const units = orders.flat().map((d) => d.unit)
    const latest = units.reduce((a, b) => (view.positionOf(a) < view.positionOf(b) ? b : a))
    const longer = latest === first ? played : this.simulate(play, first, latest)
    const whole = longer.reached ? longer : played
    const order = new PlayedOrder(view, whole)
    return orders.every(([a, b]) => order.isBefore(a, b)) && accepts?.(order) !== false ? whole : undefined
  }

  private simulate(play: Play, first: Unit, then: Unit): Played {
    const played = this.simulator.play(play, first, then)
    this.turnsPlayed += played.order.length
    return played
  }

  /**
   * One flip may bring the others about; if not, two are tried together, and all. What asks for I/O that is quicker than it was comes last: of several orders that a schedule is for,
   * only those are certain that its instructions turn round.
   */
  private *allAttempts(flips: readonly Wish[]): Iterable<Attempt> {
    const each = flips.map(([first, then]) => [...this.holds(then.unit, first.unit), ...this.stalls(then.unit, first.unit)])
    for (const attempts of each) yield* attempts
    for (let i = 0; i < each.length; i++)
      for (let j = i + 1; j < each.length; j++)
        for (const a of each[i]!.slice(0, MOST_TOGETHER)) for (const b of each[j]!.slice(0, MOST_TOGETHER)) yield together(a, b)
    if (each.length > 2 && each.every((attempts) => attempts.length > 0)) yield each.map((attempts) => attempts[0]!).reduce(together)
    for (const attempts of each) for (const attempt of attempts) yield { ...attempt, play: { ...attempt.play, quick: true } }
  }

  private *holds(u: Unit, v: Unit): Iterable<Attempt> {
    const { view } = this
    const until = view.turnOf(v)
    if (until === NONE) return
    let turn = view.turnOf(u)
    if (turn === NONE) return
    for (let n = 0; n < MOST_ANCESTORS && turn !== NONE && turn > 0; turn = view.turnParent[turn]!) {
      if (view.tree.holds(turn, isEffect(v) ? view.opPostTurn[opOfEffect(v)]! : v)) return
      if (!this.holdable(turn)) continue
      n++
      const own = isEffect(u) && turn === view.turnOf(u)
      const at = own ? 'start' : 'finish'
      yield {
        u,
        first: v,
        play: { holds: [{ turn, at, until }], stalls: [] },
        instructions: [{ do: 'hold', what: this.turnName(turn), at, until: this.turnName(until), note: this.note(turn) }],
        last: u,
      }
    }
  }

  private *stalls(u: Unit, v: Unit): Iterable<Attempt> {
    const { view } = this
    // While the program stands still the world does not: what happens outside the loop is late only if it is begun late.
    const then = isEffect(u) ? view.opPostTurn[opOfEffect(u)]! : u
    const stalls: { op: number; ms: number }[] = []
    let turn = view.turnOf(v)
    for (let n = 0; n < MOST_ANCESTORS && turn > 0; turn = view.turnParent[turn]!) {
      if (view.tree.holds(turn, then)) return
      if (view.turnKind[turn] !== TIMER) continue
      const op = view.turnOp[turn]!
      // A later call of an interval, or a timer that was refreshed: the post that counts has no name of its own.
      if (view.turnNth[turn] !== 1 || view.turnParent[turn] !== view.opPostTurn[op]) continue
      if (view.opPostTurn[op]! >= then) continue
      n++
      stalls.unshift({ op, ms: view.opDelay[op]! })
      for (const part of stalls.length > 1 ? [stalls.slice(0, 1), [...stalls]] : [[...stalls]]) {
        const instructions = part.map(({ op: after, ms }): Stall => ({
          do: 'stall',
          after: view.opLabel[after]!,
          ms,
          note: this.note(view.opTurn[after]!),
        }))
        yield { u, first: v, play: { holds: [], stalls: part }, instructions, last: then }
      }
    }
  }

  /** Messages of threads are not: a worker's come before its end, whatever is held. In which order they are sent is for predict/threads. */
  private holdable(turn: TurnId): boolean {
    const kind = this.view.turnKind[turn]
    if (kind === IO) return !/^(?:message |client |job$)/.test(this.view.queueOf(this.view.turnOp[turn]!))
    return this.timers === 'latency' && (kind === TIMER || kind === STUB)
  }

  turnName(turn: TurnId): UnitName {
    return { label: this.view.labelOf(turn), nth: this.view.turnNth[turn]! }
  }

  note(turn: TurnId): string {
    const posted = this.view.postedAt(this.view.turnOp[turn]!).split(' < ')[0]!
    return this.view.nameOf(turn) + (posted ? `, posted at ${posted}` : '')
  }

  /** Does a turn before v read something that another write set than the recorded one? Then the program may go another way. */
  private seesOthers(played: Played, u: Unit, v: Unit): boolean {
    const { view } = this
    const { accesses } = view
    const last = new Map<number, number>()
    const front = 2 * played.front - 1
    for (const unit of played.order) {
      if (unit === v || unit === u) return false
      for (const a of accesses.of(unit)) {
        if (accesses.write[a]) continue
        const location = accesses.location[a]!
        const recorded = accesses.previousWrite[a]!
        const now = last.get(location)
        const same = now === undefined ? recorded === NONE || view.positionOf(accesses.unit[recorded]!) <= front : now === recorded
        if (same) continue
        const value = (w: number | undefined): number => (w === undefined || w === NONE ? 0 : accesses.value[w]!)
        if (now !== undefined && value(now) !== 0 && value(now) === value(recorded)) continue
        return true
      }
      for (const a of accesses.of(unit)) if (accesses.write[a]) last.set(accesses.location[a]!, a)
    }
    return false
  }

  /** The rule that keeps u before v in every run, if one does: by where the two part, below the turn that posted both. */
  private forcedBy(u: Unit, v: Unit): Rule | undefined {
    const { view } = this
    if (isEffect(u) || isEffect(v) || u === 0 || v === 0) return undefined
    const common = view.turnParent[u]!
    let other = v
    while (other > 0 && view.turnParent[other] !== common) other = view.turnParent[other]!
    return other > 0 && this.timers === 'due' ? forcedSiblings(view, common, u, other) : undefined
  }
}

/** By units: two events of one turn ask for the same. */
const distinct = (flips: readonly Wish[]): Wish[] => [
  ...new Map(flips.map((flip): [string, Wish] => [`${flip[0].unit} ${flip[1].unit}`, flip])).values(),
]

const together = (a: Attempt, b: Attempt): Attempt => ({
  ...a,
  play: { holds: [...a.play.holds, ...b.play.holds], stalls: [...a.play.stalls, ...b.play.stalls] },
  instructions: [...a.instructions, ...b.instructions],
})

/** Two turns posted by one: does `a` run before `b` whatever the clock and the world do? */
function forcedSiblings(view: LoopView, parent: TurnId, a: TurnId, b: TurnId): Rule | undefined {
  const kinds = [view.turnKind[a]!, view.turnKind[b]!] as const
  const is = (x: number, y: number): boolean => kinds[0] === x && kinds[1] === y
  const from = view.turnKind[parent]!
  const firstPosted = view.turnPost[a]! < view.turnPost[b]!
  if (is(IMMEDIATE, IMMEDIATE)) return firstPosted ? 'immediates in order' : undefined
  if (is(CLOSE, CLOSE)) return firstPosted ? undefined : 'closes last in, first out'
  if (is(TIMER, TIMER)) {
    const same = view.opDelay[view.turnOp[a]!] === view.opDelay[view.turnOp[b]!]
    return same && firstPosted && view.turnPost[a] !== -1 && view.turnPost[b] !== -1 ? 'timers by expiry' : undefined
  }
  // An immediate posted by an immediate waits for the next round, everything else posted there need not.
  if (is(IMMEDIATE, CLOSE)) return from === IMMEDIATE ? undefined : 'immediates in the next check phase'
  if (is(CLOSE, IMMEDIATE)) return from === IMMEDIATE ? 'closes in the next close phase' : undefined
  if (is(IMMEDIATE, TIMER)) return from === IO ? 'immediates in the next check phase' : undefined
  if (is(CLOSE, TIMER)) return from === IO || from === IMMEDIATE ? 'closes in the next close phase' : undefined
  return undefined
}
