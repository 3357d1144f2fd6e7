/**
 * Decides a flip: is there an order a real loop can run in which v comes before u, and which instructions bring it about? Three kinds of
 * instructions are tried, each played on the recorded turns (simulate.ts) and accepted only if the independent checker accepts the order:
 *
 *   hold an I/O operation that u needs and v does not, until v
 *   stand still right after the post of a timer that v needs and u does not, until that timer is due
 *   with `--timers latency`: hold a timer or a stub like I/O
 */
import { CLOSE, IMMEDIATE, IO, isEffect, opOfEffect, STUB, TIMER, type LoopView, type TurnId, type Unit } from '../../causal/loop/turns.ts'
import type { Instruction, TurnName, Timers } from '../../runtime/js/protocol.ts'
import { NONE } from '../../trace/trace.ts'
import { LoopChecker, type Rule } from '../../witness/loop/check.ts'
import { Simulator, type Play, type Played } from './simulate.ts'

export interface Feasible {
  readonly verdict: 'feasible'
  readonly played: Played
  readonly instructions: readonly Instruction[]
  readonly uncertain: boolean
  /** Time of v in the witness, in ms. */
  readonly at: number
}

export type LoopAnswer =
  Feasible | { readonly verdict: 'infeasible'; readonly rule: string } | { readonly verdict: 'unknown'; readonly why: string }

interface Attempt {
  readonly play: Play
  readonly instructions: readonly Instruction[]
  /** What has to come after v for the flip to be certain: u, or the turn that posts it. */
  readonly last: Unit
}

/** Ancestors tried, nearest first. */
const MOST_ANCESTORS = 4
/** Of the walk over what waited for what. */
const MOST_STEPS = 10_000

export class LoopDecider {
  private readonly simulator: Simulator
  private readonly checker: LoopChecker

  constructor(
    private readonly view: LoopView,
    private readonly timers: Timers,
  ) {
    this.simulator = new Simulator(view, timers)
    this.checker = new LoopChecker(view, timers)
  }

  /** `u` came before `v` in the recording. `access` is the access of v that is meant. */
  decide(u: Unit, v: Unit, access: number): LoopAnswer {
    const { view } = this
    if (view.before(u, v)) return { verdict: 'infeasible', rule: 'after its post' }
    if (this.waitsFor(u, v, access)) return { verdict: 'infeasible', rule: 'after what it waits for' }
    const rule = this.forcedBy(u, v)
    if (rule) return { verdict: 'infeasible', rule }
    let refused: Rule | undefined
    let tried = false
    for (const attempt of this.attempts(u, v)) {
      tried = true
      const played = this.simulator.play(attempt.play, v, attempt.last)
      if (!played.reached) continue
      const broken = this.checker.check(played)
      if (broken) {
        refused = broken.rule
        continue
      }
      const at = played.times[played.order.indexOf(v)]!
      return { verdict: 'feasible', played, instructions: attempt.instructions, uncertain: this.seesOthers(played, attempt.last, v), at }
    }
    return {
      verdict: 'unknown',
      why: refused ? `the order found breaks "${refused}"` : tried ? 'no instruction leads to the order' : 'nothing can be held',
    }
  }

  /** Does v come about only after something waited, by promises, for a turn that needs u? */
  private waitsFor(u: Unit, v: Unit, access: number): boolean {
    const { view } = this
    const end = view.turnOf(u)
    if (end === NONE) return false
    const op = isEffect(v) ? opOfEffect(v) : NONE
    const open: { turn: TurnId; chain: number; event: number }[] = [
      op === NONE
        ? { turn: v, chain: view.accesses.chain[access]!, event: view.accesses.event[access]! }
        : { turn: view.opPostTurn[op]!, chain: view.opChain[op]!, event: view.opPostEvent[op]! },
    ]
    const seen = new Set<TurnId>()
    for (let steps = 0; open.length > 0 && steps < MOST_STEPS; steps++) {
      const { turn, chain, event } = open.pop()!
      for (const needed of view.neededFor(turn, chain, event)) {
        if (view.tree.holds(end, needed)) return true
        if (seen.has(needed)) continue
        seen.add(needed)
        // All of that turn: what it waited for in the chain of its own operation is not known better.
        open.push({ turn: needed, chain: view.turnOp[needed]!, event: Infinity })
      }
      const posted = view.turnOp[turn]!
      if (turn > end && posted !== NONE && view.turnParent[turn] === view.opPostTurn[posted])
        open.push({ turn: view.opPostTurn[posted]!, chain: view.opChain[posted]!, event: view.opPostEvent[posted]! })
    }
    return false
  }

  private *attempts(u: Unit, v: Unit): Iterable<Attempt> {
    const attempts = [...this.holds(u, v), ...this.stalls(u, v)]
    yield* attempts
    for (const attempt of attempts) yield { ...attempt, play: { ...attempt.play, quick: true } }
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
        const instructions = part.map(({ op: after, ms }): Instruction => ({
          do: 'stall',
          after: view.opLabel[after]!,
          ms,
          note: this.note(view.opTurn[after]!),
        }))
        yield { play: { holds: [], stalls: part }, instructions, last: then }
      }
    }
  }

  /** Messages of threads are not: a worker's come before its end, whatever is held. In which order they are sent is for predict/threads. */
  private holdable(turn: TurnId): boolean {
    const kind = this.view.turnKind[turn]
    if (kind === IO) return !this.view.queueOf(this.view.turnOp[turn]!).startsWith('message ')
    return this.timers === 'latency' && (kind === TIMER || kind === STUB)
  }

  turnName(turn: TurnId): TurnName {
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
