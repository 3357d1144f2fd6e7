/**
 * Does one event of a loop lead to another: does the flow of the earlier one do the later one afterwards, by callbacks or by what waited for
 * promises?
 */
import type { LoopView } from './turns.ts'
import type { Moment } from './read-turns.ts'
import { isEffect, opOfEffect, type TurnId, type Unit } from '../../trace/loop.ts'
import { NONE } from '../../trace/trace.ts'

/** Something in a turn, or outside the loop: its unit, the chain it is in, and the number of its event. */
export interface Doing {
  readonly unit: Unit
  readonly chain: number
  readonly event: number
}

/** Of the walk over what waited for what. */
const MOST_STEPS = 10_000

/** Of what happens outside the loop: its post. */
function placeOf(view: LoopView, { unit, chain, event }: Doing): Moment {
  if (!isEffect(unit)) return { turn: unit, chain, event }
  const op = opOfEffect(unit)
  return { turn: view.opPostTurn[op]!, chain: view.opChain[op]!, event: view.opPostEvent[op]! }
}

/**
 * Goes back from `v` over what had to be for it to come about, to turns from `end` on. `needed` is called with every turn that something had waited for, and with the
 * place where a chain was before it went on; the walk is over when it gives true. Places that do not `matter` are left out.
 */
function walk(
  view: LoopView,
  v: Doing,
  end: TurnId,
  needed: (turn: TurnId, wentOn: Moment | undefined) => boolean,
  matters: (place: Moment) => boolean = () => true,
): boolean {
  const start = placeOf(view, v)
  if (!view.hasWaited(start.turn) || !matters(start)) return false
  const open = [start]
  /** By turn and chain, the last event of what was looked at: it needs all that an earlier one does. */
  const seen = new Map<number, number>()
  const add = (place: Moment): void => {
    const key = place.turn * (view.opCount + 1) + place.chain + 1
    if (place.turn < end || (seen.get(key) ?? -1) >= place.event || !matters(place)) return
    seen.set(key, place.event)
    open.push(place)
  }
  for (let steps = 0; open.length > 0 && steps < MOST_STEPS; steps++) {
    const { turn, chain, event } = open.pop()!
    for (const waited of view.waitedFor(turn, chain, event)) {
      if (needed(waited, undefined)) return true
      // All of that turn: what it waited for in the chain of its own operation is not known better.
      add({ turn: waited, chain: view.turnOp[waited]!, event: Infinity })
    }
    const from = view.wentOnFrom(turn, chain, event)
    if (from) {
      if (needed(from.turn, from)) return true
      add(from)
    }
    const above = view.postAbove(turn)
    if (above) add(above)
  }
  return false
}

/** Does `v` come about only after a turn that needs `u`, because something waited for it or went on from it? */
export function waitsFor(view: LoopView, u: Unit, v: Doing): boolean {
  const end = view.turnOf(u)
  return end !== NONE && walk(view, v, end, (turn) => view.tree.holds(end, turn))
}

/** Have all turns run before it that `v` needs, from `front` on? */
export function isReady(view: LoopView, v: Doing, front: TurnId, hasRun: (turn: TurnId) => boolean): boolean {
  return !walk(view, v, front, (turn) => turn >= front && !hasRun(turn))
}

/** Is `later` in the same chain, or in one that the chain of `earlier` began? */
export function inFlow(view: LoopView, earlier: Doing, later: Pick<Doing, 'chain'>): boolean {
  const [a, b] = [earlier.chain, later.chain]
  return a === b || a === NONE || (b !== NONE && view.chains.holds(a, b))
}

/** `earlier` came first in the recording. */
export function leads(view: LoopView, earlier: Doing, later: Doing): boolean {
  if (goesTo(view, earlier, later)) return true
  const end = view.turnOf(earlier.unit)
  if (end === NONE) return false
  return walk(
    view,
    later,
    end,
    (turn, wentOn) => (wentOn === undefined ? view.tree.holds(end, turn) : goesTo(view, earlier, { ...wentOn, unit: wentOn.turn })),
    // Without promises of others a walk only leads to the chain itself and to those that began it.
    (place) => inFlow(view, earlier, place) || view.mayWaitFor(place.turn, end),
  )
}

/** By callbacks, and in its own turn. */
function goesTo(view: LoopView, earlier: Doing, later: Doing): boolean {
  if (!inFlow(view, earlier, later)) return false
  if (earlier.unit === later.unit) return earlier.event < later.event
  if (!view.before(earlier.unit, later.unit)) return false
  if (isEffect(earlier.unit)) return true
  // What a callback does that was posted before is not what `earlier` leads to, although it comes later.
  const op =
    isEffect(later.unit) && view.opPostTurn[opOfEffect(later.unit)] === earlier.unit
      ? opOfEffect(later.unit)
      : view.turnOp[childTowards(view, earlier.unit, later.unit)]!
  const called = op !== NONE && later.chain !== NONE && view.chains.holds(op, later.chain)
  return !called || view.opPostTurn[op] !== earlier.unit || earlier.event < view.opPostEvent[op]!
}

const childTowards = (view: LoopView, turn: TurnId, unit: Unit): TurnId =>
  view.tree.childTowards(turn, isEffect(unit) ? view.opPostTurn[opOfEffect(unit)]! : unit)

/** Are these, `earlier` first, always in this order, because they are of one flow? Quick, and not all there is: `waitsFor` goes on from here. */
export function alwaysInFlow(view: LoopView, earlier: Doing, later: Doing): boolean {
  const [a, b] = [earlier.chain, later.chain]
  if (a === NONE || b === NONE || isEffect(earlier.unit) || isEffect(later.unit)) return false
  return a === b || (view.opTurn[a] === earlier.unit && view.chains.holds(a, b))
}
