/**
 * Simulates the recorded turns on an abstract event loop under instructions: which order would the next run have? Every turn that runs posts what it
 * posted in the recording; I/O takes as long as it took; turns take no time. Up to the turn that posts what an instruction names, the order is the
 * recorded one. The checker (witness/loop/check.ts) checks the result and does not share this code.
 */
import { Heap } from '../../base/heap.ts'
import type { LoopView } from '../../causal/loop/turns.ts'
import { CLOSE, effectOf, IMMEDIATE, MAIN, opOfEffect, TIMER, type OpId, type TurnId, type Unit } from '../../trace/loop.ts'
import { NONE } from '../../trace/trace.ts'
import type { Timers } from '../../schedule/schedule.ts'

export interface Play {
  /** Turn whose operation is held, until turn `until` has run. */
  readonly holds: readonly { readonly turn: TurnId; readonly at: 'start' | 'finish'; readonly until: TurnId }[]
  /** The program stands still after posting `op`. */
  readonly stalls: readonly { readonly op: OpId; readonly ms: number }[]
  /** I/O is as quick as it can be, instead of taking as long as it took. */
  readonly quick?: boolean
}

export interface Played {
  /** Turns below this one are as recorded; the order goes on from there. */
  readonly front: TurnId
  readonly order: number[]
  readonly times: number[]
  readonly stalls: Play['stalls']
  /** Operations held at their start, with the turn that each waits for. */
  readonly late: ReadonlyMap<OpId, TurnId>
  /** Did `first` run before `then`, and is `then` in the order? */
  readonly reached: boolean
}

/** Milliseconds that quick I/O takes: more than nothing, since a loop that has something to do does not wait for it. */
const QUICK = 0.05

/** How many turns are played at most beyond the recorded front. */
export const MOST_TURNS = 20_000
/** How far behind both units pending turns are looked for: what runs long after them cannot matter. */
const AHEAD = 2_000

export class Simulator {
  constructor(
    private readonly view: LoopView,
    private readonly timers: Timers,
  ) {}

  /** Plays until both units are in the order, `first` before `then`; stops as soon as `then` comes first. */
  play(instructions: Play, first: Unit, then: Unit): Played {
    return new Loop(this.view, this.timers, instructions, first, then).run()
  }
}

class Loop {
  private readonly order: number[] = []
  private readonly times: number[] = []
  private readonly ran = new Set<TurnId>()
  private now = 0
  /** Timers by delay, in order of posting. */
  private readonly lists = new Map<number, { turn: TurnId; start: number }[]>()
  /** By the time at which they can run; of one time, as recorded. */
  private readonly io = new Heap<{ turn: TurnId; at: number }>((a, b) => a.at < b.at || (a.at === b.at && a.turn < b.turn))
  private immediates: TurnId[] = []
  private closes: TurnId[] = []
  private readonly heldBack: TurnId[] = []
  /** Of what is held at its finish: had already, for the answer alone is late. */
  private readonly effects = new Set<OpId>()
  /** Called for answers that nobody has given yet. */
  private unanswered: TurnId[] = []
  private firstRan = false
  private thenRan = false
  private played = 0
  private frontTurn = 0

  constructor(
    private readonly view: LoopView,
    private readonly timers: Timers,
    private readonly instructions: Play,
    private readonly first: Unit,
    private readonly then: Unit,
  ) {}

  run(): Played {
    const { view } = this
    const named = [
      ...this.instructions.holds.map((h) => view.turnParent[h.turn]!),
      ...this.instructions.stalls.map((s) => view.opPostTurn[s.op]!),
    ]
    const last = Math.min(...named)
    this.startAfter(last)
    if (!this.over()) this.goOn(view.turnKind[last]!)
    return {
      front: last + 1,
      order: this.order,
      times: this.times,
      stalls: this.instructions.stalls.filter((s) => this.inOrder(view.opPostTurn[s.op]!, last)),
      late: new Map(this.instructions.holds.filter((h) => h.at === 'start').map((h) => [view.turnOp[h.turn]!, h.until])),
      reached: this.firstRan && this.thenRan,
    }
  }

  private inOrder(turn: TurnId, last: TurnId): boolean {
    return turn <= last || this.ran.has(turn)
  }

  /** Turns 0 .. last are as recorded: what is pending after them? */
  private startAfter(last: TurnId): void {
    const { view } = this
    this.frontTurn = last
    if (view.positionOf(this.first) <= 2 * last + 1) this.firstRan = true
    if (view.positionOf(this.then) <= 2 * last + 1) this.thenRan = true
    this.now = view.turnTime[last]!
    const stall = this.stallsIn(last)
    const pending: TurnId[] = []
    const end = Math.min(view.turnCount, Math.max(last, this.lastTurn()) + AHEAD)
    for (let t = last + 1; t < end; t++) if (view.turnParent[t]! <= last) pending.push(t)
    pending.sort((a, b) => view.turnParent[a]! - view.turnParent[b]! || place(view, a) - place(view, b))
    for (const t of pending) this.activate(t, view.turnParent[t]!, t, view.turnParent[t] === last ? stall : undefined)
    this.now += total(stall)
  }

  private lastTurn(): TurnId {
    return Math.max(this.view.turnOf(this.first), this.view.turnOf(this.then))
  }

  private stallsIn(turn: TurnId): Play['stalls'] | undefined {
    const found = this.instructions.stalls.filter((s) => this.view.opPostTurn[s.op] === turn)
    return found.length === 0 ? undefined : found
  }

  /** The turn's operation is pending now. `exact`: posted at the present time; otherwise when the recording says. */
  private activate(turn: TurnId, parent: TurnId, recorded: TurnId, exact: Play['stalls'] | undefined | 'now'): void {
    const { view } = this
    const kind = view.turnKind[turn]!
    const begin = view.turnTime[parent]!
    const hold = this.instructions.holds.find((h) => h.turn === turn)
    if (hold !== undefined) {
      this.heldBack.push(turn)
      const op = view.turnOp[turn]!
      if (hold.at === 'finish' && /^(request|http)/.test(view.queueOf(op)) && this.hasEffect(turn)) {
        this.effects.add(op)
        this.put(effectOf(op), this.now)
      }
      return
    }
    const free = kind === TIMER && this.timers === 'latency'
    if (kind === TIMER && !free) {
      const delay = view.opDelay[view.turnOp[turn]!]!
      let start = this.now
      if (typeof exact === 'object')
        start += total(exact.filter((s) => view.turnPost[turn] === -1 || place(view, view.opTurn[s.op]!) < place(view, turn)))
      else if (exact !== 'now') start = Math.max(begin, Math.min(view.timeAfter(parent), view.turnTime[recorded]! - delay))
      const list = this.lists.get(delay)
      if (list) list.push({ turn, start })
      else this.lists.set(delay, [{ turn, start }])
    } else if (kind === IMMEDIATE) this.immediates.push(turn)
    else if (kind === CLOSE) this.closes.push(turn)
    else {
      const took = Math.max(0, view.turnTime[turn]! - (exact === 'now' ? begin : Math.max(begin, this.now)))
      this.io.push({ turn, at: this.now + (this.instructions.quick ? Math.min(took, QUICK) : took) })
    }
  }

  /** From the phase after (or of) the last recorded turn on. */
  private goOn(kind: number): void {
    // A timers phase runs what was due when it began, whatever the time is now.
    if (kind === TIMER) this.timersPhase(this.view.turnTime[this.frontTurn]!)
    else if (kind === IMMEDIATE) this.restOfCheck()
    if (kind === TIMER || kind === MAIN) {
      if (kind === MAIN) this.timersPhase()
      this.pollPhase()
    }
    if (kind !== IMMEDIATE && kind !== CLOSE) this.checkPhase()
    if (kind !== CLOSE) this.closePhase()
    while (!this.over()) {
      this.timersPhase()
      if (!this.pollPhase()) return
      this.checkPhase()
      this.closePhase()
    }
  }

  private over(): boolean {
    return this.thenRan || this.played > MOST_TURNS
  }

  private timersPhase(began = this.now): void {
    while (!this.over()) {
      let best: number = NONE
      let expiry = Infinity
      for (const [delay, list] of this.lists) {
        if (list[0]!.start + delay < expiry) {
          expiry = list[0]!.start + delay
          best = delay
        }
      }
      if (best === NONE || expiry > began) return
      const list = this.lists.get(best)!
      while (list.length > 0 && list[0]!.start + best <= began && !this.over()) this.execute(list.shift()!.turn)
      if (list.length === 0) this.lists.delete(best)
    }
  }

  /** False when nothing can ever run any more. */
  private pollPhase(): boolean {
    if (this.immediates.length === 0 && this.closes.length === 0 && !this.over()) {
      let next = Infinity
      for (const [delay, list] of this.lists) next = Math.min(next, list[0]!.start + delay)
      next = Math.min(next, this.io.first?.at ?? Infinity)
      if (next === Infinity) return false
      this.now = Math.max(this.now, next)
    }
    for (;;) {
      const ready: TurnId[] = []
      while (this.io.first !== undefined && this.io.first.at <= this.now) ready.push(this.io.take().turn)
      if (ready.length === 0) return true
      for (const turn of ready) {
        if (this.over()) return true
        if (this.isAnswered(turn)) this.execute(turn)
        else this.unanswered.push(turn)
      }
    }
  }

  private checkPhase(): void {
    for (const turn of this.immediates.splice(0)) if (!this.over()) this.execute(turn)
  }

  /** The last recorded turn was an immediate: those posted before the check phase began come now, those posted in it wait. */
  private restOfCheck(): void {
    const { view } = this
    const last = this.frontTurn
    let first = last
    let earliestPost = view.turnParent[last]!
    while (first > 0 && view.turnKind[first - 1] === IMMEDIATE && earliestPost < first - 1 && view.turnParent[first - 1]! < first - 1) {
      first--
      earliestPost = Math.max(earliestPost, view.turnParent[first]!)
    }
    const batch = this.immediates.filter((t) => view.turnParent[t]! < first)
    this.immediates = this.immediates.filter((t) => view.turnParent[t]! >= first)
    for (const turn of batch) if (!this.over()) this.execute(turn)
  }

  private closePhase(): void {
    for (const turn of this.closes.splice(0).reverse()) if (!this.over()) this.execute(turn)
  }

  private execute(turn: TurnId): void {
    this.played++
    this.emit(turn, this.now)
    const stall = this.stallsIn(turn)
    const posted = this.view.tree.childrenOf(turn)
    const children = posted.length < 2 ? posted : [...posted].sort((a, b) => place(this.view, a) - place(this.view, b))
    for (const child of children) if (!this.isLeftOut(child, turn)) this.activate(child, turn, child, stall ?? 'now')
    this.now += total(stall)
    this.release(turn)
  }

  /**
   * What a chain posted in this turn after it had waited for one that has not run: in such a run it is not posted here, and nobody knows where. An order does without it.
   */
  private isLeftOut(child: TurnId, turn: TurnId): boolean {
    const { view } = this
    const op = view.turnOp[child]!
    if (op === NONE || view.opPostTurn[op] !== turn) return false
    return view.neededFor(turn, view.opChain[op]!, view.opPostEvent[op]!).some((on) => on > this.frontTurn && !this.ran.has(on))
  }

  private isAnswered(turn: TurnId): boolean {
    return this.view.answersFor(turn).every((on) => on <= this.frontTurn || this.ran.has(on))
  }

  private release(turn: TurnId): void {
    if (this.unanswered.length > 0) {
      const waiting = this.unanswered
      this.unanswered = waiting.filter((t) => !this.isAnswered(t))
      for (const t of waiting) if (!this.unanswered.includes(t)) this.io.push({ turn: t, at: this.now })
    }
    for (const hold of this.instructions.holds) {
      if (hold.until !== turn) continue
      const at = this.heldBack.indexOf(hold.turn)
      if (at < 0) continue
      this.heldBack.splice(at, 1)
      this.io.push({ turn: hold.turn, at: this.now })
    }
  }

  /** Puts a turn into the order, with the effect of its operation right before it. */
  private emit(turn: TurnId, time: number): void {
    const { view } = this
    if (this.hasEffect(turn) && !this.effects.has(view.turnOp[turn]!)) this.put(effectOf(view.turnOp[turn]!), time)
    this.ran.add(turn)
    this.put(turn, time)
    if (this.then < 0 && this.view.opTurn[opOfEffect(this.then)] === NONE && this.firstRan && !this.thenRan) {
      // An operation that never called back: held at its start it has its effect once it is let go.
      if (this.instructions.holds.length > 0) this.put(this.then, time)
    }
  }

  private hasEffect(turn: TurnId): boolean {
    const { view } = this
    const op = view.turnOp[turn]!
    return op !== NONE && view.opTurn[op] === turn && (view.accesses.has(effectOf(op)) || view.sections.within(op).length > 0)
  }

  private put(unit: Unit, time: number): void {
    this.order.push(unit)
    this.times.push(time)
    if (unit === this.first) this.firstRan = true
    if (unit === this.then) this.thenRan = true
  }
}

const total = (stalls: Play['stalls'] | undefined): number => (stalls ?? []).reduce((sum, s) => sum + s.ms, 0)
const place = (view: LoopView, turn: TurnId): number => (view.turnPost[turn] === -1 ? Infinity : view.turnPost[turn]!)
