/**
 * An abstract event loop that turns are fed to one by one: phases, queues, and what is known of the times. It says which rule of
 * docs/event-loop.md the next turn breaks, if it breaks one.
 *
 * The loop may go round without doing anything at any time, so the machine leaves a phase only when the next turn demands it: leaving later
 * never breaks a rule that leaving earlier would have kept. In a recording the moment of a post is known to lie between the begin of its turn
 * and the begin of the next; a rule is broken only if it is for all such moments, with the grain of Node's clock allowed for.
 */
import { CLOSE, IMMEDIATE, MAIN, STUB, TIMER, type LoopTurns, type Section } from '../../trace/loop.ts'
import { NONE } from '../../trace/trace.ts'
import type { Timers } from '../../schedule/schedule.ts'
import { PendingTimers } from './pending-timers.ts'

export interface RuleBroken {
  /** The rule's name in docs/event-loop.md. */
  readonly rule: Rule
  /** Turn number in the trace. */
  readonly turn: number
  readonly sentence: string
}

export type Rule =
  | 'after its post'
  | 'after what it waits for'
  | 'calls in order'
  | 'timer not early'
  | 'timers by expiry'
  | 'due timers first'
  | 'immediates in order'
  | 'immediates in the next check phase'
  | 'closes last in, first out'
  | 'closes in the next close phase'
  | 'effect in between'
  | 'requests in order'
  | 'row lock'
  | 'snapshot'
  | 'lock'
  | 'time goes on'

export interface Stalled {
  readonly op: number
  readonly ms: number
}

// The phase each kind of turn runs in.
const TIMERS_PHASE = 0
const POLL_PHASE = 1
const CHECK_PHASE = 2
const CLOSE_PHASE = 3

/**
 * The clock of the rules has whole milliseconds, and libuv may read the kernel's coarse clock, which is up to another millisecond behind; a phase
 * begins some time after the clock was read.
 */
const CLOCK_GRAIN = 2
const PHASE_GRAIN = 3

interface Entry {
  readonly turn: number
  /** May be left out once: what posted it ran in a phase that is not known. */
  readonly loose: boolean
}

/** It begins at a moment between two, and has run these turns. */
interface TimersPhase {
  readonly low: number
  high: number
  readonly turns: Set<number>
}

export const ruleOf = (mine: Section, other: Section): Rule =>
  mine.reserved || other.reserved ? 'snapshot' : /\[[^\]]*=/.test(mine.lock) ? 'row lock' : 'lock'

const timersPhase = (low: number): TimersPhase => ({ low, high: Infinity, turns: new Set() })

export class LoopMachine {
  private phase = CLOSE_PHASE
  /** Nothing is known of the phase in which the main script ran: an ES module runs inside the poll phase. */
  private fresh = true
  /** Turns below this have run, as recorded; then those of the set. */
  private front = 0
  private readonly ran = new Set<number>()
  private readonly effects = new Set<number>()
  private late: ReadonlyMap<number, number> = new Map()
  private immediates: Entry[] = []
  private batch: Entry[] = []
  private closes: Entry[] = []
  private closing: Entry[] = []
  /** The clock is at least here. */
  private now = 0
  /** The timers phase that runs now. */
  private current = timersPhase(0)
  /** Of two timers in a row it is not known whether a round of the loop lay between them: the last phase that may have begun since. */
  private latest: TimersPhase | undefined
  /** After a timers phase Node looks at its timers again a millisecond later at the earliest. */
  private wake = 0

  constructor(
    private readonly view: LoopTurns,
    private readonly timers: Timers,
    private readonly pending = new PendingTimers(view),
  ) {}

  /** Operations that begin only when a turn has run. */
  begunLate(late: ReadonlyMap<number, number>): void {
    this.late = late
  }

  /** The same state once more. */
  copy(): LoopMachine {
    const copy = new LoopMachine(this.view, this.timers, this.pending.copy())
    copy.phase = this.phase
    copy.fresh = this.fresh
    copy.front = this.front
    for (const turn of this.ran) copy.ran.add(turn)
    for (const op of this.effects) copy.effects.add(op)
    copy.immediates = [...this.immediates]
    copy.batch = [...this.batch]
    copy.closes = [...this.closes]
    copy.closing = [...this.closing]
    copy.now = this.now
    copy.current = { ...this.current, turns: new Set(this.current.turns) }
    copy.latest = this.latest && { ...this.latest, turns: new Set(this.latest.turns) }
    copy.wake = this.wake
    return copy
  }

  /** The next turn as it was recorded. What the run did it could do: after a broken rule the machine goes on as if it had not been there. */
  recorded(stalls: readonly Stalled[] = []): RuleBroken | undefined {
    const turn = this.front
    const time = this.view.turnTime[turn]!
    const wrong = this.turn(turn, time, true, stalls)
    if (wrong) {
      this.settle(turn)
      this.now = Math.max(this.now, time)
      this.post(turn, time, true, stalls)
    }
    this.ran.delete(turn)
    this.front++
    return wrong
  }

  /** A turn that is not as recorded, at a known time. */
  next(turn: number, time: number, stalls: readonly Stalled[]): RuleBroken | undefined {
    return this.turn(turn, time, false, stalls)
  }

  private hasRun(turn: number): boolean {
    return turn < this.front || this.ran.has(turn)
  }

  /** Takes a turn out of whatever waits for it and goes to its phase. */
  private settle(turn: number): void {
    const kind = this.view.turnKind[turn]!
    const other = (e: Entry): boolean => e.turn !== turn
    this.immediates = this.immediates.filter(other)
    this.batch = this.batch.filter(other)
    this.closes = this.closes.filter(other)
    this.closing = this.closing.filter(other)
    this.fresh = false
    if (kind === TIMER) {
      this.pending.take(turn)
      this.current = timersPhase(this.now)
      this.latest = undefined
    }
    if (kind !== MAIN && kind !== STUB)
      this.phase = kind === TIMER ? TIMERS_PHASE : kind === IMMEDIATE ? CHECK_PHASE : kind === CLOSE ? CLOSE_PHASE : POLL_PHASE
  }

  /** The effect of an operation outside the loop. */
  effect(op: number): RuleBroken | undefined {
    const { view } = this
    const turn = view.opTurn[op]!
    if (!this.hasRun(view.opPostTurn[op]!) || this.effects.has(op) || (turn !== NONE && this.hasRun(turn)))
      return this.broken(
        'effect in between',
        turn === NONE ? view.opPostTurn[op]! : turn,
        'has its effect before it was posted or after it called back',
      )
    const wrong = this.inOrder(op) ?? this.excluded(op)
    if (wrong) return wrong
    this.effects.add(op)
    return undefined
  }

  /** Has it had its effect by now, for certain? */
  private hadEffect(op: number): boolean {
    const turn = this.view.opTurn[op]!
    return this.effects.has(op) || (turn !== NONE && this.hasRun(turn))
  }

  /** Requests of one connection take effect in the order in which they were made. */
  private inOrder(op: number): RuleBroken | undefined {
    const { before } = this.view.sections
    let earlier = this.late.size === 0 ? NONE : before[op]!
    // Those in between may not have been made yet in this order: only what is begun late holds up those behind it.
    while (earlier !== NONE && !(this.late.has(earlier) && this.hasRun(this.view.opPostTurn[earlier]!) && !this.hadEffect(earlier)))
      earlier = before[earlier]!
    if (earlier === NONE) return undefined
    return this.broken(
      'requests in order',
      this.turnOfOp(op),
      `takes effect before ${this.name(this.turnOfOp(earlier))}, on the same connection`,
    )
  }

  /** Sections of one lock and different connections do not overlap. One may have ended as soon as what ends it is under way. */
  private excluded(op: number): RuleBroken | undefined {
    const { view } = this
    for (const mine of view.sections.by(op))
      for (const other of view.sections.all) {
        if (other.lock !== mine.lock || other.lane === mine.lane || !this.hadEffect(other.begin) || this.hadEffect(other.end)) continue
        const until = this.late.get(other.end)
        const mayHaveEnded = this.hasRun(view.opPostTurn[other.end]!) && (until === undefined || this.hasRun(until))
        if (!mayHaveEnded)
          return this.broken(
            ruleOf(mine, other),
            this.turnOfOp(op),
            `takes ${mine.lock}, which ${this.name(this.turnOfOp(other.end))} has yet to give back`,
          )
      }
    return undefined
  }

  private turnOfOp(op: number): number {
    const turn = this.view.opTurn[op]!
    return turn === NONE ? this.view.opPostTurn[op]! : turn
  }

  private turn(turn: number, time: number, recorded: boolean, stalls: readonly Stalled[]): RuleBroken | undefined {
    const { view } = this
    if (this.hasRun(turn)) return this.broken('calls in order', turn, 'runs twice')
    const parent = view.turnParent[turn]!
    if (parent !== NONE && !this.hasRun(parent))
      return view.turnNth[turn]! > 1 && view.turnOp[parent] === view.turnOp[turn]
        ? this.broken('calls in order', turn, `runs before call ${view.turnNth[turn]! - 1} of the same`)
        : this.broken('after its post', turn, 'runs before it was posted')
    if (!recorded && view.answersFor(turn).some((on) => !this.hasRun(on)))
      return this.broken('after its post', turn, 'runs before what it brings was sent')
    if (time < this.now - (recorded ? 0.011 : 1e-6))
      return this.broken('time goes on', turn, `runs at ${time} ms, after something at ${this.now} ms`)
    const wrong = this.enter(turn, time, recorded)
    if (wrong) return wrong
    this.ran.add(turn)
    this.now = Math.max(this.now, time)
    this.post(turn, time, recorded, stalls)
    return undefined
  }

  /** Moves to the phase of the turn and takes it from its queue. */
  private enter(turn: number, time: number, recorded: boolean): RuleBroken | undefined {
    const kind = this.view.turnKind[turn]!
    if (kind === MAIN || kind === STUB) return undefined
    if (kind === TIMER) {
      if (this.timers === 'latency') return (this.pending.take(turn), undefined)
      const wrong = this.phase === TIMERS_PHASE && this.inThisPhase(turn) ? undefined : this.advance(TIMERS_PHASE, turn, time, recorded)
      if (wrong) return wrong
      this.join(turn, time)
      return this.timer(turn, time, recorded)
    }
    if (kind === IMMEDIATE) {
      const wrong = this.phase === CHECK_PHASE && has(this.batch, turn) ? undefined : this.advance(CHECK_PHASE, turn, time, recorded)
      if (wrong) return wrong
      const first = this.batch.findIndex((e) => !e.loose || e.turn === turn)
      if (first < 0 || this.batch[first]!.turn !== turn)
        return this.broken(
          'immediates in order',
          turn,
          `runs before ${this.name(this.batch[Math.max(first, 0)]?.turn)}, which was posted earlier`,
        )
      this.immediates.unshift(...this.batch.splice(0, first))
      this.batch.shift()
      return undefined
    }
    if (kind === CLOSE) {
      const wrong = this.phase === CLOSE_PHASE && has(this.closing, turn) ? undefined : this.advance(CLOSE_PHASE, turn, time, recorded)
      if (wrong) return wrong
      const at = this.closing.findLastIndex((e) => !e.loose || e.turn === turn)
      if (at < 0 || this.closing[at]!.turn !== turn)
        return this.broken(
          'closes last in, first out',
          turn,
          `runs before ${this.name(this.closing[Math.max(at, 0)]?.turn)}, which was posted later`,
        )
      this.closes.unshift(...this.closing.splice(at + 1))
      this.closing.pop()
      return undefined
    }
    return this.phase === POLL_PHASE ? undefined : this.advance(POLL_PHASE, turn, time, recorded)
  }

  /** Leaves phases until `target` begins; each one passed must have nothing left to do. */
  private advance(target: number, turn: number, time: number, recorded: boolean): RuleBroken | undefined {
    do {
      if (this.phase === CHECK_PHASE && mustRun(this.batch)) return this.left('immediates in the next check phase', this.batch, turn)
      if (this.phase === CLOSE_PHASE && mustRun(this.closing)) return this.left('closes in the next close phase', this.closing, turn)
      if (this.phase === TIMERS_PHASE) {
        const awake = this.timers === 'due' && !this.fresh && this.current.low >= this.wake
        const due = awake ? this.pending.dueBy(this.current.low, PHASE_GRAIN) : NONE
        if (due !== NONE) return this.broken('due timers first', turn, `runs before ${this.name(due)}, which is due`)
        if (this.current.turns.size > 0) this.wake = (recorded ? time : this.now) + 1
        this.fresh = false
        this.pending.leave()
        this.latest = undefined
      }
      this.batch = this.batch.filter((e) => e.loose)
      this.immediates.unshift(...this.batch.splice(0).map(firm))
      this.closing = this.closing.filter((e) => e.loose)
      this.closes.unshift(...this.closing.splice(0).map(firm))
      this.phase = (this.phase + 1) % 4
      if (this.phase === TIMERS_PHASE) this.current = timersPhase(this.now)
      if (this.phase === CHECK_PHASE) this.batch = this.immediates.splice(0)
      if (this.phase === CLOSE_PHASE) this.closing = this.closes.splice(0)
    } while (this.phase !== target)
    if (target === TIMERS_PHASE) this.fresh = false
    return undefined
  }

  /** May this timer run in the timers phase that runs already? */
  private inThisPhase(turn: number): boolean {
    if (this.due(turn, this.current)) return true
    if (!this.latest || !this.due(turn, this.latest)) return false
    this.current = this.latest
    this.latest = undefined
    return true
  }

  /** A timers phase runs only what was due when it began, so nothing that was posted in it. */
  private due(turn: number, phase: TimersPhase): boolean {
    return (
      phase.turns.size === 0 || (!phase.turns.has(this.view.turnParent[turn]!) && this.pending.earliest(turn) <= phase.high + CLOCK_GRAIN)
    )
  }

  private join(turn: number, time: number): void {
    const idle = this.immediates.length === 0 && this.closes.length === 0 && this.pending.dueBy(this.current.low, PHASE_GRAIN) === NONE
    if (this.current.turns.size > 0 && idle) this.latest = timersPhase(this.now)
    for (const phase of [this.current, this.latest]) {
      if (!phase) continue
      if (phase.turns.size === 0) phase.high = time
      phase.turns.add(turn)
    }
  }

  private timer(turn: number, time: number, recorded: boolean): RuleBroken | undefined {
    const grain = recorded ? CLOCK_GRAIN : 0
    const early = this.pending.earliest(turn)
    if (time < early - grain - 1e-6) return this.broken('timer not early', turn, `runs at ${time} ms, due at ${early} ms`)
    const other = this.pending.overtaken(turn, CLOCK_GRAIN)
    if (other !== NONE) return this.broken('timers by expiry', turn, `runs before ${this.name(other)}, which expires earlier`)
    this.pending.take(turn)
    return undefined
  }

  /** What the turn posts enters its queues. Only what was seen to call back counts: the rest may have been cleared. */
  private post(turn: number, time: number, recorded: boolean, stalls: readonly Stalled[]): void {
    const { view } = this
    const kind = view.turnKind[turn]!
    const loose = kind === STUB || (kind === TIMER && this.timers === 'latency')
    const here = stalls.filter(({ op }) => view.opPostTurn[op] === turn)
    const stallsBefore = (post: number): number => {
      let ms = 0
      for (const stall of here) if (view.turnPost[view.opTurn[stall.op]!]! < post) ms += stall.ms
      return ms
    }
    for (const child of postOrder(view, turn)) {
      if (!recorded && !this.isPosted(child, turn)) continue
      const childKind = view.turnKind[child]!
      if (childKind === IMMEDIATE) this.immediates.push({ turn: child, loose })
      else if (childKind === CLOSE) this.closes.push({ turn: child, loose })
      else if (childKind === TIMER) {
        const repeated = view.turnPost[child] === -1
        const from = time + (repeated ? 0 : stallsBefore(view.turnPost[child]!))
        // A stall says that the program did not stand still otherwise.
        const exact = !recorded || here.length > 0
        this.pending.add(child, from, exact ? from : Math.max(from, repeated ? time : view.timeAfter(turn)), exact)
      }
    }
    for (const { ms } of here) this.now += ms
  }

  /** A chain that waits for a turn that has not run does not get to what it posted after that. */
  private isPosted(child: number, turn: number): boolean {
    const { view } = this
    const op = view.turnOp[child]!
    if (op < 0 || view.opPostTurn[op] !== turn) return true
    return view.neededFor(turn, view.opChain[op]!, view.opPostEvent[op]!).every((on) => this.hasRun(on))
  }

  private left(rule: Rule, queue: Entry[], turn: number): RuleBroken {
    return this.broken(rule, turn, `runs before ${this.name(queue.find((e) => !e.loose)!.turn)}`)
  }

  private name(turn: number | undefined): string {
    return turn === undefined ? 'something' : `turn ${turn} (${this.view.nameOf(turn)})`
  }

  private broken(rule: Rule, turn: number, what: string): RuleBroken {
    return { rule, turn, sentence: `Turn ${turn} (${this.view.nameOf(turn)}) ${what}.` }
  }
}

const has = (queue: Entry[], turn: number): boolean => queue.some((e) => e.turn === turn)
const mustRun = (queue: Entry[]): boolean => queue.some((e) => !e.loose)
const firm = (entry: Entry): Entry => ({ turn: entry.turn, loose: false })

/** Turns that a turn posted, as it posted them; an interval is posted again when its callback is over. */
function postOrder(view: LoopTurns, turn: number): number[] {
  const place = (t: number): number => (view.turnPost[t] === -1 ? Infinity : view.turnPost[t]!)
  return [...view.tree.childrenOf(turn)].sort((a, b) => place(a) - place(b))
}
