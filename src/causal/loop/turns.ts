/**
 * The turns and operations of a recorded event loop, as columns: docs/event-loop.md says what such a trace holds. One linear pass.
 *
 * Turns have one parent each: the turn that posted what calls back, or for the second and later calls of a handle or an interval the call
 * before. So causality between turns is a tree, and "a comes before b in every run" is two comparisons.
 *
 * A unit is what the loop orders: turn t is the unit t, the effect of operation o outside the loop is the unit -1 - o.
 */
import { GrowInt32 } from '../../base/grow.ts'
import { AFTER, CALL, CHAIN, DISPATCH, POST, THROW, TURN_BEGIN } from '../../trace/ops.ts'
import { NONE, type Trace } from '../../trace/trace.ts'
import { collectAccesses, type Accesses } from './accesses.ts'
import { Tree } from './tree.ts'

/** What the rules tell apart. Everything that nature finishes is `IO`. */
export const MAIN = 0
export const TIMER = 1
export const IMMEDIATE = 2
export const CLOSE = 3
export const IO = 4
export const STUB = 5

export type TurnId = number
export type OpId = number
export type Unit = number

export const effectOf = (op: OpId): Unit => -1 - op
export const isEffect = (unit: Unit): boolean => unit < 0
export const opOfEffect = (unit: Unit): OpId => -1 - unit

export class LoopView {
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
  /** What waited for promises that earlier turns settled, and chains that went on in a turn that is not their own, by turn. */
  private readonly waits: ReadonlyMap<TurnId, readonly Wait[]>
  private readonly goneOn: ReadonlyMap<TurnId, readonly GoneOn[]>
  /** By turn: the nearest one above it in the tree in which something had waited; NONE if there is none. */
  private readonly waitedAbove: Int32Array
  /** By turn: the last turn that settled a promise which something in it, above it, or where its chains come from had waited for; NONE if there is none. */
  private readonly lastWaited: Int32Array
  private readonly opByLabel: ReadonlyMap<string, OpId>

  constructor(readonly trace: Trace) {
    const read = readTurns(trace)
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
    return this.trace.targetName(this.turnEvent[turn]!)
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
      if (wait.event < event && (wait.chain === chain || (wait.chain !== NONE && chain !== NONE && this.chains.holds(wait.chain, chain))))
        needed.push(wait.on)
    return needed
  }

  /** Where a chain was before it went on in a turn that is not its own: what comes before `event` there. */
  wentOnFrom(turn: TurnId, chain: OpId, event: number): Place | undefined {
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
  postAbove(turn: TurnId): Place | undefined {
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

/** What Node makes of a delay. */
export const nodeDelay = (delay: number): number => (delay >= 1 && delay <= 2 ** 31 - 1 ? Math.trunc(delay) : 1)

/** Somewhere in a turn: in this chain, before this event. */
export interface Place {
  readonly turn: TurnId
  readonly chain: OpId
  readonly event: number
}

interface GoneOn {
  readonly event: number
  readonly chain: OpId
  readonly from: Place
}

interface Wait {
  readonly event: number
  readonly chain: OpId
  readonly on: TurnId
}

interface Read {
  turnOp: GrowInt32
  turnNth: GrowInt32
  turnParent: GrowInt32
  turnEvent: GrowInt32
  turnTime: GrowInt32
  turnPost: GrowInt32
  opKind: GrowInt32
  opDelay: GrowInt32
  opRepeats: GrowInt32
  opPostTurn: GrowInt32
  opPostEvent: GrowInt32
  opChain: GrowInt32
  opTurn: GrowInt32
  opLabel: string[]
  opByLabel: Map<string, OpId>
  segmentTurn: GrowInt32
  segmentEvent: GrowInt32
  segmentChain: GrowInt32
  endTurn: TurnId
  waits: Map<TurnId, Wait[]>
  goneOn: Map<TurnId, GoneOn[]>
}

function readTurns(trace: Trace): Read {
  const grow = (): GrowInt32 => new GrowInt32()
  const read: Read = {
    turnOp: grow(),
    turnNth: grow(),
    turnParent: grow(),
    turnEvent: grow(),
    turnTime: grow(),
    turnPost: grow(),
    opKind: grow(),
    opDelay: grow(),
    opRepeats: grow(),
    opPostTurn: grow(),
    opPostEvent: grow(),
    opChain: grow(),
    opTurn: grow(),
    opLabel: [],
    opByLabel: new Map(),
    segmentTurn: grow(),
    segmentEvent: grow(),
    segmentChain: grow(),
    endTurn: NONE,
    waits: new Map(),
    goneOn: new Map(),
  }
  const { op, value, target, tables } = trace
  const whole = tables.values.codeOf(0)
  const task = tables.tasks.find('loop')
  if (task < 0) return read
  /** By operation: the last turn that answered it, how many did, and the last post. */
  const last: number[] = []
  const nth: number[] = []
  const postTurn: number[] = []
  const postNumber: number[] = []
  let posts = 0
  let chain: OpId = NONE
  let turn = -1

  const opOf = (code: number): OpId => read.opByLabel.get(tables.values.textOf(code).slice(1)) ?? NONE
  /** Three hours and more do not fit a small number. */
  const timeOf = (code: number): number | undefined => {
    if (code <= 0) return code < 0 ? code - whole : undefined
    const time = Number(tables.values.textOf(code))
    return Number.isNaN(time) ? undefined : Math.min(time, 2 ** 31 - 1)
  }
  /** By chain: the turn and the event at which its last segment ended. */
  const endTurn: number[] = []
  const endEvent: number[] = []
  let begun: number = NONE
  const endSegment = (event: number): void => {
    // One that only declares a chain is no part of the chain that is named: it ran earlier.
    if (begun !== NONE && chain !== NONE && !isDeclaration(begun + 1)) {
      endTurn[chain] = turn
      endEvent[chain] = event
    }
    begun = NONE
  }
  const declares = tables.queues.find('async')
  const isDeclaration = (e: number): boolean => op[e] === POST && target[e] === declares
  /** A chain of promises began after its parent was called back or, if that is one, too, after the parent did something. */
  const beganAfter = (id: OpId): Place | undefined => {
    const parent = read.opChain.at(id)
    if (parent === NONE) return undefined
    const called = read.opTurn.at(parent)
    if (called !== NONE) return { turn: called, chain: parent, event: Infinity }
    let e = read.opPostEvent.at(parent) + 2
    while (op[e] === AFTER) e++
    return { turn: read.opPostTurn.at(parent), chain: parent, event: e + 1 }
  }
  const goesOn = (event: number): void => {
    if (chain === NONE || isDeclaration(event + 1) || read.turnOp.at(turn) === chain) return
    const last = endTurn[chain]
    const from = last === undefined ? beganAfter(chain) : { turn: last, chain, event: endEvent[chain]! }
    if (from === undefined || from.turn >= turn) return
    // It waited for the operation that it posted there: the tree has that.
    const answered = read.turnOp.at(turn)
    if (from.turn === read.turnParent.at(turn) && answered !== NONE && read.opChain.at(answered) === chain) return
    const gone = read.goneOn.get(turn)
    if (gone) gone.push({ event, chain, from })
    else read.goneOn.set(turn, [{ event, chain, from }])
  }
  const addOp = (event: number, code: number): OpId => {
    const label = tables.values.textOf(code).slice(1)
    const id = read.opLabel.length
    const queue = trace.targetName(event)
    const kind = queue.split(' ', 1)[0]!
    read.opByLabel.set(label, id)
    read.opLabel.push(label)
    read.opKind.push(KINDS[kind] ?? IO)
    read.opDelay.push(kind === 'timer' || kind === 'interval' ? nodeDelay(Number(queue.slice(kind.length))) : 0)
    read.opRepeats.push(kind === 'interval' ? 1 : 0)
    read.opTurn.push(NONE)
    last.push(NONE)
    nth.push(0)
    return id
  }

  for (let e = trace.taskStart[task]!; e < trace.taskStart[task + 1]!; e++) {
    switch (op[e]) {
      case TURN_BEGIN: {
        endSegment(e)
        turn++
        chain = NONE
        read.turnOp.push(NONE)
        read.turnNth.push(1)
        read.turnParent.push(turn === 0 ? NONE : 0)
        read.turnEvent.push(e)
        read.turnPost.push(-1)
        read.turnTime.push(timeOf(value[e]!) ?? (turn > 0 ? read.turnTime.at(turn - 1) : 0))
        break
      }
      case POST: {
        const known = opOf(value[e]!)
        const id = known === NONE ? addOp(e, value[e]!) : known
        postTurn[id] = Math.max(turn, 0)
        postNumber[id] = posts++
        if (known !== NONE) break
        read.opPostTurn.push(Math.max(turn, 0))
        read.opPostEvent.push(e)
        read.opChain.push(chain)
        break
      }
      case DISPATCH: {
        let id = opOf(value[e]!)
        if (id === NONE) {
          // Posted before the recording began.
          id = addOp(e, value[e]!)
          postTurn[id] = 0
          postNumber[id] = posts++
          read.opPostTurn.push(0)
          read.opPostEvent.push(NONE)
          read.opChain.push(NONE)
        }
        if (turn < 0 || read.turnOp.at(turn) !== NONE) break
        nth[id]!++
        // A timer that was posted again (refresh) since its last call answers that post.
        const again = last[id] !== NONE && (postTurn[id]! < last[id]! || !(read.opKind.at(id) === TIMER))
        read.turnOp.set(turn, id)
        read.turnNth.set(turn, nth[id]!)
        read.turnParent.set(turn, again ? last[id]! : postTurn[id]!)
        read.turnPost.set(turn, again ? -1 : postNumber[id]!)
        last[id] = turn
        if (read.opTurn.at(id) === NONE) read.opTurn.set(id, turn)
        chain = id
        break
      }
      case CHAIN:
        endSegment(e)
        chain = read.opByLabel.get(tables.names.at(target[e]!)) ?? NONE
        read.segmentTurn.push(Math.max(turn, 0))
        read.segmentEvent.push(e)
        read.segmentChain.push(chain)
        begun = e
        goesOn(e)
        break
      case AFTER: {
        const waits = read.waits.get(turn)
        const wait = { event: e, chain, on: value[e]! - whole }
        if (wait.on < 0 || wait.on >= turn) break
        if (waits) waits.push(wait)
        else read.waits.set(turn, [wait])
        break
      }
      case CALL:
        if (read.endTurn === NONE && tables.names.at(target[e]!).startsWith('exit ')) read.endTurn = turn
        break
      case THROW:
        if (read.endTurn === NONE) read.endTurn = turn
        break
    }
  }
  return read
}

const KINDS: Readonly<Record<string, number>> = {
  timer: TIMER,
  interval: TIMER,
  immediate: IMMEDIATE,
  close: CLOSE,
  stub: STUB,
}
