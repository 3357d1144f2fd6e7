/**
 * The independent checker of orders of turns: walks an order with the abstract loop of machine.ts and accepts it or says which rule it breaks at
 * which turn. It shares nothing with the search but the view of the trace.
 */
import type { LoopTurns } from '../../trace/loop.ts'
import type { Timers } from '../../schedule/schedule.ts'
import { LoopMachine, type RuleBroken, type Stalled } from './machine.ts'

export { ruleOf, type Rule, type RuleBroken } from './machine.ts'

/** An order to check: the recorded turns below `front`, then `order`, with turns as t and effects as -1 - operation. It may stop anywhere. */
export interface Placed {
  readonly front: number
  readonly order: ArrayLike<number>
  /** Milliseconds, by entry of the order. */
  readonly times: ArrayLike<number>
  /** The program stood still right after it posted `op`. */
  readonly stalls: readonly Stalled[]
  /** By operation: it begins only when this turn has run. */
  readonly late?: ReadonlyMap<number, number>
}

/** The first rule that a run's own order of turns breaks, or undefined. */
export function checkRun(view: LoopTurns, timers: Timers): RuleBroken | undefined {
  const machine = new LoopMachine(view, timers)
  for (let turn = 0; turn < view.turnCount; turn++) {
    const wrong = machine.recorded()
    if (wrong) return wrong
  }
  return undefined
}

/** Every so many turns of the recording the state is kept, so that an order with a long recorded front is not walked from its beginning. */
const KEEP_EVERY = 1024

export class LoopChecker {
  private readonly kept: LoopMachine[]

  constructor(
    private readonly view: LoopTurns,
    timers: Timers,
  ) {
    this.kept = [new LoopMachine(view, timers)]
  }

  /** The first rule that an order breaks, or undefined: then a real loop can run it. */
  check({ front, order, times, stalls, late }: Placed): RuleBroken | undefined {
    // The last recorded turn may hold a stall; those before are as they were.
    const machine = this.after(Math.max(0, front - 1))
    if (front > 0) machine.recorded(stalls)
    if (late) machine.begunLate(late)
    const place = new Map<number, number>()
    for (let i = 0; i < order.length; i++) {
      const unit = order[i]!
      const missed = this.waits(unit, front, place)
      if (missed) return missed
      if (unit >= 0) place.set(unit, i)
      const wrong = unit < 0 ? machine.effect(-1 - unit) : machine.next(unit, times[i]!, stalls)
      if (wrong) return wrong
    }
    return undefined
  }

  /** What was posted by a chain that had waited for a turn: that turn has to run before the one that posts. */
  private waits(unit: number, front: number, place: ReadonlyMap<number, number>): RuleBroken | undefined {
    const { view } = this
    const op = unit < 0 ? -1 - unit : view.turnOp[unit]!
    const posted = op < 0 ? -1 : view.opPostTurn[op]!
    if (posted < front) return undefined
    const at = place.get(posted) ?? Infinity
    const late = view
      .neededFor(posted, view.opChain[op]!, view.opPostEvent[op]!)
      .find((t) => t >= front && (place.get(t) ?? Infinity) >= at)
    if (late === undefined) return undefined
    return { rule: 'after what it waits for', turn: Math.max(unit, 0), sentence: `It was posted by what had waited for turn ${late}.` }
  }

  /** The loop after so many recorded turns. */
  private after(turns: number): LoopMachine {
    const wanted = Math.min(Math.floor(turns / KEEP_EVERY), Math.floor(this.view.turnCount / KEEP_EVERY))
    while (this.kept.length <= wanted) {
      const next = this.kept[this.kept.length - 1]!.copy()
      for (let i = 0; i < KEEP_EVERY; i++) next.recorded()
      this.kept.push(next)
    }
    const machine = this.kept[wanted]!.copy()
    for (let turn = wanted * KEEP_EVERY; turn < turns; turn++) machine.recorded()
    return machine
  }
}
