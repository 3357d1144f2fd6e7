/** One linear pass over the trace of a loop: its turns, operations and segments as columns, and what waited for promises. */
import { GrowInt32 } from '../../base/grow.ts'
import { CLOSE, IMMEDIATE, IO, STUB, TIMER, type OpId, type TurnId } from '../../trace/loop.ts'
import { AFTER, CALL, CHAIN, DISPATCH, POST, THROW, TURN_BEGIN } from '../../trace/ops.ts'
import { NONE, type Trace } from '../../trace/trace.ts'

/** Somewhere in a turn: in this chain, before this event. */
export interface Moment {
  readonly turn: TurnId
  readonly chain: OpId
  readonly event: number
}

export interface GoneOn {
  readonly event: number
  readonly chain: OpId
  readonly from: Moment
}

export interface Wait {
  readonly event: number
  readonly chain: OpId
  readonly on: TurnId
  /** Of whatever the turn does, in any chain: it was given an answer from there. */
  readonly all: boolean
}

const KINDS: Readonly<Record<string, number>> = {
  timer: TIMER,
  interval: TIMER,
  immediate: IMMEDIATE,
  close: CLOSE,
  stub: STUB,
}

/** What Node makes of a delay. */
const nodeDelay = (delay: number): number => (delay >= 1 && delay <= 2 ** 31 - 1 ? Math.trunc(delay) : 1)

/** The columns are those of LoopView (turns.ts), which says what they mean. */
export class TurnReader {
  readonly turnOp = new GrowInt32()
  readonly turnNth = new GrowInt32()
  readonly turnParent = new GrowInt32()
  readonly turnEvent = new GrowInt32()
  readonly turnTime = new GrowInt32()
  readonly turnPost = new GrowInt32()
  readonly opKind = new GrowInt32()
  readonly opDelay = new GrowInt32()
  readonly opRepeats = new GrowInt32()
  readonly opPostTurn = new GrowInt32()
  readonly opPostEvent = new GrowInt32()
  readonly opChain = new GrowInt32()
  readonly opTurn = new GrowInt32()
  readonly opLabel: string[] = []
  readonly opByLabel = new Map<string, OpId>()
  readonly segmentTurn = new GrowInt32()
  readonly segmentEvent = new GrowInt32()
  readonly segmentChain = new GrowInt32()
  readonly waits = new Map<TurnId, Wait[]>()
  readonly goneOn = new Map<TurnId, GoneOn[]>()
  endTurn: TurnId = NONE

  /** By operation: the last turn that answered it, how many did, and the last post. */
  private readonly last: number[] = []
  private readonly nth: number[] = []
  private readonly postTurn: number[] = []
  private readonly postNumber: number[] = []
  private posts = 0
  /** Connections that have brought a request or an answer, and the last turn in which one did. */
  private readonly broughtBefore = new Set<OpId>()
  private lastBrought: TurnId = NONE
  /** By chain: the turn and the event at which its last segment ended. */
  private readonly chainTurn: number[] = []
  private readonly chainEvent: number[] = []
  /** Where the walk is: the turn, the chain that runs, and the event its segment began at. */
  private turn = -1
  private chain: OpId = NONE
  private begun: number = NONE
  /** The code of the value 0: small whole numbers stand beside it. */
  private readonly whole: number
  /** Queues whose posts only declare a chain. */
  private readonly declares: Uint8Array

  constructor(private readonly trace: Trace) {
    const { op, tables } = trace
    this.whole = tables.values.codeOf(0)
    this.declares = Uint8Array.from([...tables.queues], (name) => Number(/^async\b/.test(name)))
    const task = tables.tasks.find('loop')
    if (task < 0) return
    const end = trace.taskStart[task + 1]!
    for (let e = trace.taskStart[task]!; e < end; e++) {
      switch (op[e]) {
        case TURN_BEGIN:
          this.beginTurn(e)
          break
        case POST:
          this.post(e)
          break
        case DISPATCH:
          this.dispatch(e)
          break
        case CHAIN:
          this.beginSegment(e)
          break
        case AFTER:
          this.waited(e)
          break
        case CALL:
          if (this.endTurn === NONE && tables.names.at(trace.target[e]!).startsWith('exit ')) this.endTurn = this.turn
          break
        case THROW:
          if (this.endTurn === NONE) this.endTurn = this.turn
          break
      }
    }
  }

  private beginTurn(e: number): void {
    this.endSegment(e)
    const turn = ++this.turn
    this.chain = NONE
    this.turnOp.push(NONE)
    this.turnNth.push(1)
    this.turnParent.push(turn === 0 ? NONE : 0)
    this.turnEvent.push(e)
    this.turnPost.push(-1)
    this.turnTime.push(this.timeOf(this.trace.value[e]!) ?? (turn > 0 ? this.turnTime.at(turn - 1) : 0))
  }

  private post(e: number): void {
    const turn = Math.max(this.turn, 0)
    const known = this.opOf(e)
    const id = known === NONE ? this.addOp(e, turn, e, this.chain) : known
    this.postTurn[id] = turn
    this.postNumber[id] = this.posts++
  }

  private dispatch(e: number): void {
    const { turn } = this
    let id = this.opOf(e)
    if (id === NONE) {
      // Posted before the recording began.
      id = this.addOp(e, 0, NONE, NONE)
      this.postTurn[id] = 0
      this.postNumber[id] = this.posts++
    }
    if (turn < 0) return
    if (this.turnOp.at(turn) !== NONE) return this.brings(e, turn, id)
    this.nth[id]!++
    const last = this.last[id]!
    // A timer that was posted again (refresh) since its last call answers that post.
    const again = last !== NONE && (this.postTurn[id]! < last || !(this.opKind.at(id) === TIMER))
    this.turnOp.set(turn, id)
    this.turnNth.set(turn, this.nth[id]!)
    this.turnParent.set(turn, again ? last : this.postTurn[id]!)
    this.turnPost.set(turn, again ? -1 : this.postNumber[id]!)
    this.last[id] = turn
    if (this.opTurn.at(id) === NONE) this.opTurn.set(id, turn)
    this.chain = id
  }

  /**
   * A connection has brought what another operation waits for, a request or the answer to one: the turn is that operation's. It comes after its post; after what came before it on the connection
   * only if that is new, for it could have come on another one.
   */
  private brings(e: number, turn: TurnId, id: OpId): void {
    if (this.opTurn.at(id) !== NONE) return
    const handle = this.turnOp.at(turn)
    const posted = this.postTurn[id]!
    this.opTurn.set(id, turn)
    this.nth[id] = 1
    this.last[id] = turn
    const waitsFor = (on: TurnId): void => {
      if (on < turn) add(this.waits, turn, { event: e, chain: NONE, on, all: true })
    }
    if (this.lastBrought === turn || posted >= turn) return waitsFor(posted)
    this.lastBrought = turn
    // What lay in a queue could have been asked for in another round of the worker's loop.
    if (!this.broughtBefore.has(handle) && this.trace.targetName(e) !== 'job') waitsFor(this.turnParent.at(turn))
    this.broughtBefore.add(handle)
    this.turnOp.set(turn, id)
    this.turnNth.set(turn, 1)
    this.turnParent.set(turn, posted)
    this.turnPost.set(turn, this.postNumber[id]!)
  }

  private beginSegment(e: number): void {
    this.endSegment(e)
    const { trace } = this
    this.chain = this.opByLabel.get(trace.tables.names.at(trace.target[e]!)) ?? NONE
    this.segmentTurn.push(Math.max(this.turn, 0))
    this.segmentEvent.push(e)
    this.segmentChain.push(this.chain)
    this.begun = e
    this.goesOn(e)
  }

  private endSegment(event: number): void {
    const { begun, chain } = this
    // One that only declares a chain is no part of the chain that is named: it ran earlier.
    if (begun !== NONE && chain !== NONE && !this.isDeclaration(begun + 1)) {
      this.chainTurn[chain] = this.turn
      this.chainEvent[chain] = event
    }
    this.begun = NONE
  }

  private waited(e: number): void {
    const number = this.trace.value[e]! - this.whole
    const all = number < 0
    const on = all ? -1 - number : number
    if (on >= this.turn || this.trace.value[e]! >= 0) return
    add(this.waits, this.turn, { event: e, chain: this.chain, on, all })
  }

  private goesOn(event: number): void {
    const { chain, turn } = this
    if (chain === NONE || this.isDeclaration(event + 1) || this.turnOp.at(turn) === chain) return
    const last = this.chainTurn[chain]
    const from = last === undefined ? this.beganAfter(chain) : { turn: last, chain, event: this.chainEvent[chain]! }
    if (from === undefined || from.turn >= turn) return
    // It waited for the operation that it posted there: the tree has that.
    const answered = this.turnOp.at(turn)
    if (from.turn === this.turnParent.at(turn) && answered !== NONE && this.opChain.at(answered) === chain) return
    add(this.goneOn, turn, { event, chain, from })
  }

  /** A chain of promises began after its parent was called back or, if that is one, too, after the parent did something. */
  private beganAfter(id: OpId): Moment | undefined {
    const parent = this.opChain.at(id)
    if (parent === NONE) return undefined
    const called = this.opTurn.at(parent)
    if (called !== NONE) return { turn: called, chain: parent, event: Infinity }
    let e = this.opPostEvent.at(parent) + 2
    while (this.trace.op[e] === AFTER) e++
    return { turn: this.opPostTurn.at(parent), chain: parent, event: e + 1 }
  }

  private isDeclaration(e: number): boolean {
    return this.trace.op[e] === POST && this.declares[this.trace.target[e]!] === 1
  }

  private opOf(event: number): OpId {
    return this.opByLabel.get(this.labelAt(event)) ?? NONE
  }

  private labelAt(event: number): string {
    return this.trace.tables.values.textOf(this.trace.value[event]!).slice(1)
  }

  private addOp(event: number, postTurn: TurnId, postEvent: number, chain: OpId): OpId {
    const label = this.labelAt(event)
    const id = this.opLabel.length
    const queue = this.trace.targetName(event)
    const kind = queue.split(' ', 1)[0]!
    this.opByLabel.set(label, id)
    this.opLabel.push(label)
    this.opKind.push(KINDS[kind] ?? IO)
    this.opDelay.push(kind === 'timer' || kind === 'interval' ? nodeDelay(Number(queue.slice(kind.length))) : 0)
    this.opRepeats.push(kind === 'interval' ? 1 : 0)
    this.opPostTurn.push(postTurn)
    this.opPostEvent.push(postEvent)
    this.opChain.push(chain)
    this.opTurn.push(NONE)
    this.last.push(NONE)
    this.nth.push(0)
    return id
  }

  /** Three hours and more do not fit a small number. */
  private timeOf(code: number): number | undefined {
    if (code <= 0) return code < 0 ? code - this.whole : undefined
    const time = Number(this.trace.tables.values.textOf(code))
    return Number.isNaN(time) ? undefined : Math.min(time, 2 ** 31 - 1)
  }
}

function add<T>(lists: Map<TurnId, T[]>, turn: TurnId, item: T): void {
  const list = lists.get(turn)
  if (list) list.push(item)
  else lists.set(turn, [item])
}
