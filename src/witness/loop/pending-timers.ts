/**
 * Timers that wait, as Node keeps them: one list per delay, first in first out, and the list whose first timer expires earliest is run first,
 * with all of its timers that are due. So a timer may overtake one of another delay that expires before it, right behind one of its own delay.
 */
import type { LoopTurns } from '../../trace/loop.ts'
import { NONE } from '../../trace/trace.ts'

interface Waiting {
  readonly turn: number
  /** It was posted between these two moments. */
  readonly low: number
  readonly high: number
  /** Posted in a turn that is not as recorded: both moments are the same and Node's grain need not be allowed for. */
  readonly exact: boolean
}

interface List {
  waiting: Waiting[]
  first: number
}

export class PendingTimers {
  private readonly lists = new Map<number, List>()
  /** By delay: the earliest post of a timer that never called back. If it was cleared its list kept the old expiry. */
  private readonly cleared: Map<number, number>
  private readonly byTurn = new Map<number, Waiting>()
  /** Delay of the timer taken last in this timers phase: the loop is still at its list. */
  private running = 0

  constructor(
    private readonly view: LoopTurns,
    from?: PendingTimers,
  ) {
    this.cleared = from?.cleared ?? neverCalled(view)
    if (!from) return
    for (const [delay, { waiting, first }] of from.lists) this.lists.set(delay, { waiting: waiting.slice(first), first: 0 })
    for (const [turn, waiting] of from.byTurn) this.byTurn.set(turn, waiting)
    this.running = from.running
  }

  copy(): PendingTimers {
    return new PendingTimers(this.view, this)
  }

  add(turn: number, low: number, high: number, exact: boolean): void {
    const delay = this.delayOf(turn)
    const list = this.lists.get(delay) ?? { waiting: [], first: 0 }
    const waiting = { turn, low, high, exact }
    this.lists.set(delay, list)
    this.byTurn.set(turn, waiting)
    list.waiting.push(waiting)
  }

  take(turn: number): void {
    const delay = this.delayOf(turn)
    this.byTurn.delete(turn)
    this.running = delay
    const list = this.lists.get(delay)
    if (!list) return
    if (list.waiting[list.first]?.turn === turn) list.first++
    else list.waiting = list.waiting.filter((w, i) => i < list.first || w.turn !== turn)
    if (list.first === list.waiting.length) this.lists.delete(delay)
    if (list.first > 1000) {
      list.waiting.splice(0, list.first)
      list.first = 0
    }
  }

  /** The loop left the timers phase. */
  leave(): void {
    this.running = 0
  }

  /** The earliest moment at which the timer of this turn may run. */
  earliest(turn: number): number {
    return (this.byTurn.get(turn)?.low ?? 0) + this.delayOf(turn)
  }

  /** A timer that has to run before this one, or NONE. Its turn has not been taken yet. */
  overtaken(turn: number, grain: number): number {
    const delay = this.delayOf(turn)
    const mine = this.byTurn.get(turn)
    if (!mine) return NONE
    const own = this.lists.get(delay)!
    const head = own.waiting[own.first]!
    // Interval calls come back into their list at a moment inside their turn that is not known.
    if (head.turn !== turn && !(head.low <= mine.high && this.repeats(head.turn, turn))) return head.turn
    if (this.running === delay) return NONE
    const low = Math.min(mine.low, head.low, this.cleared.get(delay) ?? Infinity) + delay
    for (const [other, list] of this.lists) {
      if (other === delay) continue
      const first = list.waiting[list.first]!
      const slack = first.exact && mine.exact ? 1e-6 : grain
      const together = this.samePost(first.turn, turn) && this.postedBefore(first.turn, turn)
      if (together ? other < delay && low === mine.low + delay : first.high + other + slack <= low) return first.turn
    }
    return NONE
  }

  /** A timer that is due at `now` for certain, or NONE. */
  dueBy(now: number, grain: number): number {
    for (const [delay, list] of this.lists) {
      const first = list.waiting[list.first]!
      if (first.high + delay + (first.exact ? 1e-6 : grain) <= now) return first.turn
    }
    return NONE
  }

  private delayOf(turn: number): number {
    return this.view.opDelay[this.view.turnOp[turn]!]!
  }

  private repeats(a: number, b: number): boolean {
    return this.view.turnParent[a] === this.view.turnParent[b] && (this.view.turnPost[a] === -1 || this.view.turnPost[b] === -1)
  }

  private samePost(a: number, b: number): boolean {
    return this.view.turnParent[a] === this.view.turnParent[b] && this.view.turnPost[a] !== -1 && this.view.turnPost[b] !== -1
  }

  private postedBefore(a: number, b: number): boolean {
    return this.view.turnPost[a]! < this.view.turnPost[b]!
  }
}

function neverCalled(view: LoopTurns): Map<number, number> {
  const cleared = new Map<number, number>()
  for (let op = 0; op < view.opCount; op++) {
    const delay = view.opDelay[op]!
    if (delay === 0 || view.opTurn[op] !== NONE) continue
    const from = view.turnTime[view.opPostTurn[op]!]!
    cleared.set(delay, Math.min(from, cleared.get(delay) ?? Infinity))
  }
  return cleared
}
