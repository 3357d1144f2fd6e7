/**
 * The turns and operations of a recorded event loop, as columns: docs/event-loop.md says what such a trace holds.
 *
 * Turns have one parent each: the turn that posted what calls back, or for the second and later calls of a handle or an interval the call
 * before. So causality between turns is a tree, and "a comes before b in every run" is two comparisons.
 */
import { CHAIN, TURN_BEGIN, TURN_END } from '../../trace/ops.ts'
import { effectOf, isEffect, MAIN, opOfEffect, type LoopTurns, type OpId, type Sections, type TurnId, type Unit } from '../../trace/loop.ts'
import { NONE, type Trace } from '../../trace/trace.ts'
import { collectAccesses, type Accesses } from './accesses.ts'
import { readSections } from './sections.ts'
import { TurnReader, type GoneOn, type Moment, type Wait } from './read-turns.ts'
import { Tree } from './tree.ts'

/** Queues of requests by HTTP and of their answers. */
const BROUGHT = /^(http|reply) (.*)$/s
/** Queues of chains that have a name. */
const NAMED = 'async '

export class LoopView implements LoopTurns {
  readonly turnCount: number
  readonly opCount: number
  /** By turn: the operation that calls back (NONE for main), which of its calls it is (from 1), the parent in the tree, first event, time in ms. */
  readonly turnOp: Int32Array
  readonly turnNth: Int32Array
  readonly turnParent: Int32Array
  readonly turnEvent: Int32Array
  readonly turnTime: Float64Array
  readonly turnKind: Uint8Array
  /** By turn: number of the post or renewed post it answers, in order of posting; for a later call of a handle or interval -1. */
  readonly turnPost: Int32Array
  /** By operation. Delay is what Node makes of it: at least 1; 0 for what is no timer. */
  readonly opKind: Uint8Array
  readonly opDelay: Int32Array
  readonly opRepeats: Uint8Array
  readonly opPostTurn: Int32Array
  readonly opPostEvent: Int32Array
  /** The chain that posted it: an operation, or NONE for the main chain. */
  readonly opChain: Int32Array
  /** First turn that answers it, or NONE. */
  readonly opTurn: Int32Array
  readonly opLabel: readonly string[]
  /** By segment: its turn, its first event and its chain. */
  readonly segmentTurn: Int32Array
  readonly segmentEvent: Int32Array
  readonly segmentChain: Int32Array
  /** Turns by parent. */
  readonly tree: Tree
  /** Operations by the chain that posted them. */
  readonly chains: Tree
  /** The turn in which the program ended itself, or the last one. */
  readonly endTurn: TurnId
  readonly accesses: Accesses
  /** Locks outside the loop. */
  readonly sections: Sections
  /** What waited for promises that earlier turns settled, and chains that went on in a turn that is not their own, by turn. */
  private readonly waits: ReadonlyMap<TurnId, readonly Wait[]>
  private readonly goneOn: ReadonlyMap<TurnId, readonly GoneOn[]>
  /** By turn: the nearest one above it in the tree in which something had waited; NONE if there is none. */
  private readonly waitedAbove: Int32Array
  /** By turn: the last turn that settled a promise which something in it, above it, or where its chains come from had waited for; NONE if there is none. */
  private readonly lastWaited: Int32Array
  private readonly opByLabel: ReadonlyMap<string, OpId>

  constructor(readonly trace: Trace) {
    const read = new TurnReader(trace)
    this.turnCount = read.turnOp.length
    this.opCount = read.opKind.length
    this.turnOp = read.turnOp.finish()
    this.turnNth = read.turnNth.finish()
    this.turnParent = read.turnParent.finish()
    this.turnEvent = read.turnEvent.finish()
    this.turnPost = read.turnPost.finish()
    this.turnTime = Float64Array.from(read.turnTime.view(), (t) => t / 100)
    this.opKind = Uint8Array.from(read.opKind.view())
    this.opDelay = read.opDelay.finish()
    this.opRepeats = Uint8Array.from(read.opRepeats.view())
    this.opPostTurn = read.opPostTurn.finish()
    this.opPostEvent = read.opPostEvent.finish()
    this.opChain = read.opChain.finish()
    this.opTurn = read.opTurn.finish()
    this.opLabel = read.opLabel
    this.opByLabel = read.opByLabel
    this.waits = read.waits
    this.goneOn = read.goneOn
    this.segmentTurn = read.segmentTurn.finish()
    this.segmentEvent = read.segmentEvent.finish()
    this.segmentChain = read.segmentChain.finish()
    this.turnKind = Uint8Array.from(this.turnOp, (op) => (op === NONE ? MAIN : this.opKind[op]!))
    this.tree = new Tree(this.turnParent)
    this.chains = new Tree(this.opChain)
    this.waitedAbove = new Int32Array(this.turnCount).fill(NONE)
    this.lastWaited = new Int32Array(this.turnCount).fill(NONE)
    for (let t = 1; t < this.turnCount; t++) {
      const above = this.turnParent[t]!
      let last = this.lastWaited[above]!
      for (const { on } of this.waits.get(t) ?? []) last = Math.max(last, on, this.lastWaited[on]!)
      for (const { from } of this.goneOn.get(t) ?? []) last = Math.max(last, this.lastWaited[from.turn]!)
      this.lastWaited[t] = last
      this.waitedAbove[t] = this.waits.has(above) || this.goneOn.has(above) ? above : this.waitedAbove[above]!
    }
    this.endTurn = read.endTurn === NONE ? this.turnCount - 1 : read.endTurn
    this.sections = readSections(
      trace,
      (label) => this.findOp(label),
      (op) => this.queueOf(op),
      this.opCount,
      (a, b) => this.before(effectOf(a), effectOf(b)),
    )
    this.accesses = collectAccesses(this)
  }

  findOp(label: string): OpId {
    return this.opByLabel.get(label) ?? NONE
  }

  labelOf(turn: TurnId): string {
    const op = this.turnOp[turn]!
    return op === NONE ? 'main' : this.opLabel[op]!
  }

  nameOf(turn: TurnId): string {
    const op = this.turnOp[turn]!
    // What a connection brought is more than the connection.
    const brought = op === NONE ? null : BROUGHT.exec(this.queueOf(op))
    return brought?.[2] ?? this.trace.targetName(this.turnEvent[turn]!)
  }

  /** The engine went on by itself, as when an import() has its module: posted and begun with nothing in between. */
  isOfEngine(turn: TurnId): boolean {
    const op = this.turnOp[turn]!
    if (op === NONE || !this.nameOf(turn).startsWith('message')) return false
    const { trace } = this
    let event = this.turnEvent[turn]! - 1
    while (event > 0 && (trace.op[event] === TURN_BEGIN || trace.op[event] === TURN_END || trace.op[event] === CHAIN)) event--
    return event === this.opPostEvent[op]
  }

  /** The call chain that posted the operation. */
  postedAt(op: OpId): string {
    const event = this.opPostEvent[op]!
    return event === NONE ? '' : this.trace.siteName(event)
  }

  queueOf(op: OpId): string {
    const event = this.opPostEvent[op]!
    return event === NONE ? 'unknown' : this.trace.targetName(event)
  }

  /** The chain with a name of its own that this one is, or that began it: what a server does for one request. NONE if there is none. */
  namedChain(chain: OpId): OpId {
    let at = chain
    while (at !== NONE && !this.queueOf(at).startsWith(NAMED)) at = this.opChain[at]!
    return at
  }

  /** `POST /orders/7/pay (2nd)` */
  chainName(named: OpId): string {
    const queue = this.queueOf(named)
    let nth = 1
    for (let op = 0; op < named; op++) if (this.queueOf(op) === queue) nth++
    return `${queue.slice(NAMED.length)}${nth === 1 ? '' : ` (${nth}${['th', 'st', 'nd', 'rd'][nth % 100 > 10 && nth % 100 < 14 ? 0 : nth % 10] ?? 'th'})`}`
  }

  /** The turn in which a unit is at the latest: itself, or the first call back of the operation (NONE if it never came). */
  turnOf(unit: Unit): TurnId {
    return isEffect(unit) ? this.opTurn[opOfEffect(unit)]! : unit
  }

  /** Where a unit stands in the recorded order: turns are odd, effects stand right before the turn that answers them. */
  positionOf(unit: Unit): number {
    const turn = this.turnOf(unit)
    return turn === NONE ? 2 * this.turnCount : 2 * turn + (isEffect(unit) ? 0 : 1)
  }

  /** Does `a` come before `b` in every run in which both happen? */
  before(a: Unit, b: Unit): boolean {
    const end = this.turnOf(a)
    if (end === NONE) return false
    const begin = isEffect(b) ? this.opPostTurn[opOfEffect(b)]! : b
    return this.tree.holds(end, begin)
  }

  /** Earlier turns that must have run for this event to happen in its turn: the chain it is in had waited for what they settled, or went on from them. */
  neededFor(turn: TurnId, chain: OpId, event: number): TurnId[] {
    const needed = this.waitedFor(turn, chain, event)
    const from = this.wentOnFrom(turn, chain, event)
    if (from) needed.push(from.turn)
    return needed
  }

  /** Of these, the turns that settled promises. */
  waitedFor(turn: TurnId, chain: OpId, event: number): TurnId[] {
    const needed: TurnId[] = []
    for (const wait of this.waits.get(turn) ?? [])
      if (
        wait.all ||
        (wait.event < event && (wait.chain === chain || (wait.chain !== NONE && chain !== NONE && this.chains.holds(wait.chain, chain))))
      )
        needed.push(wait.on)
    return needed
  }

  /** Turns that sent the request or gave the answer which this one was called for. */
  answersFor(turn: TurnId): TurnId[] {
    return (this.waits.get(turn) ?? []).flatMap(({ on, all }) => (all ? [on] : []))
  }

  /** Where a chain was before it went on in a turn that is not its own: what comes before `event` there. */
  wentOnFrom(turn: TurnId, chain: OpId, event: number): Moment | undefined {
    return this.goneOn.get(turn)?.find((gone) => gone.chain === chain && gone.event < event)?.from
  }

  /** Can a promise that this turn or a later one settled matter to what happens in `turn`? */
  mayWaitFor(turn: TurnId, settled: TurnId): boolean {
    return this.lastWaited[turn]! >= settled
  }

  /** Has something waited in this turn, or in one above it? */
  hasWaited(turn: TurnId): boolean {
    return this.waitedAbove[turn] !== NONE || this.waits.has(turn) || this.goneOn.has(turn)
  }

  /** What had to be for a turn to come about, in the nearest turn above it in which something had waited: the post on the way to it. */
  postAbove(turn: TurnId): Moment | undefined {
    const above = this.waitedAbove[turn]!
    if (above === NONE) return undefined
    const child = this.tree.childTowards(above, turn)
    const op = this.turnOp[child]!
    // A later call of a handle, or a post whose place is not known.
    if (op === NONE || this.opPostTurn[op] !== above || this.turnNth[child] !== 1)
      return { turn: above, chain: NONE, event: this.turnEvent[above]! }
    return { turn: above, chain: this.opChain[op]!, event: this.opPostEvent[op]! }
  }

  /** The end of a turn in the recording: the time of the next one. */
  timeAfter(turn: TurnId): number {
    return turn + 1 < this.turnCount ? this.turnTime[turn + 1]! : this.turnTime[turn]!
  }
}
