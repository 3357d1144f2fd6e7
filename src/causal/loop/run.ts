/** A recorded event loop as properties see it (property/instance.ts): every event with its unit and chain, in the order of the run. */
import { AFTER, CHAIN, EARLIER_READ, EARLIER_WRITE, POST, TURN_BEGIN } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import type { Run } from '../../property/instance.ts'
import { alwaysInFlow, leads, type Doing } from './leads.ts'
import type { LoopView } from './turns.ts'
import { effectOf } from '../../trace/loop.ts'

/** Answers kept, so that memory stays bounded. */
const MOST_KNOWN = 1_000_000

export class LoopRun implements Run {
  readonly trace: Trace
  readonly order: Int32Array
  /** By event: its unit, its chain, and the event it happened at (one written late happened earlier). */
  private readonly unit: Int32Array
  private readonly chain: Int32Array
  private readonly happened: Int32Array
  /** By event: the stretch it is in. Nothing is posted, begun or waited for inside a stretch, so its events lead to the same and are led to by the same. */
  private readonly stretch: Int32Array
  private stretches = 0
  /** By two stretches. Patterns ask for the same ones again and again. */
  private readonly led = new Map<number, boolean>()

  constructor(readonly view: LoopView) {
    const { trace } = view
    this.trace = trace
    const n = trace.eventCount
    this.unit = new Int32Array(n)
    this.chain = new Int32Array(n).fill(NONE)
    this.happened = new Int32Array(n)
    this.stretch = new Int32Array(n)
    for (let e = 0; e < n; e++) this.happened[e] = e
    this.loopEvents()
    this.effects()
    this.order = this.inOrder()
  }

  /** By the place of the unit, then as it happened in it. Linear: only units with events that were written late are sorted. */
  private inOrder(): Int32Array {
    const { view, unit, happened } = this
    const n = unit.length
    const places = 2 * view.turnCount + 2
    const start = new Int32Array(places + 1)
    const placeOf = Int32Array.from(unit, (u) => view.positionOf(u))
    const late = new Uint8Array(places)
    for (let e = 0; e < n; e++) {
      start[placeOf[e]! + 1]!++
      if (happened[e] !== e) late[placeOf[e]!] = 1
    }
    for (let i = 0; i < places; i++) start[i + 1]! += start[i]!
    const order = new Int32Array(n)
    const next = start.slice()
    for (let e = 0; e < n; e++) order[next[placeOf[e]!]!++] = e
    for (let i = 0; i < places; i++)
      if (late[i]) order.subarray(start[i]!, start[i + 1]!).sort((a, b) => happened[a]! - happened[b]! || a - b)
    return order
  }

  private loopEvents(): void {
    const { view, trace } = this
    const { op, taskStart, tables } = trace
    const loop = tables.tasks.find('loop')
    if (loop < 0) return
    const whole = tables.values.codeOf(0)
    let turn = -1
    let segment = -1
    let running: number = NONE
    let afterFirst = false
    for (let e = taskStart[loop]!; e < taskStart[loop + 1]!; e++) {
      if (this.splits(e) || afterFirst) this.stretches++
      // The first event of a segment is a stretch of its own: what a chain began is known to come after that one (turns.ts, beganAfter).
      afterFirst = !this.splits(e) && this.splits(e - 1)
      this.stretch[e] = this.stretches
      if (op[e] === TURN_BEGIN) running = view.turnOp[++turn]!
      else if (op[e] === CHAIN) running = view.segmentChain[++segment]!
      const late = op[e] === EARLIER_READ || op[e] === EARLIER_WRITE ? trace.value[e]! - whole : NONE
      const known = late >= 0 && late < view.segmentTurn.length
      this.unit[e] = known ? view.segmentTurn[late]! : Math.max(turn, 0)
      this.chain[e] = known ? view.segmentChain[late]! : running
      if (!known) continue
      // Somewhere in its segment: taken to be at the end.
      this.happened[e] = (view.segmentEvent[late + 1] ?? e) - 1
      this.stretch[e] = this.stretch[this.happened[e]!]!
    }
  }

  private splits(e: EventId): boolean {
    const op = this.trace.op[e]
    return op === TURN_BEGIN || op === CHAIN || op === POST || op === AFTER
  }

  private effects(): void {
    const { view, trace } = this
    const { op, taskStart, tables } = trace
    const outside = tables.tasks.find('off-loop')
    if (outside < 0) return
    let current: number = NONE
    for (let e = taskStart[outside]!; e < taskStart[outside + 1]!; e++) {
      if (op[e] === TURN_BEGIN) {
        current = view.findOp(trace.targetName(e))
        this.stretches++
      }
      this.stretch[e] = this.stretches
      if (current === NONE) continue
      this.unit[e] = effectOf(current)
      this.chain[e] = view.opChain[current]!
    }
  }

  doing(e: EventId): Doing {
    return { unit: this.unit[e]!, chain: this.chain[e]!, event: this.happened[e]! }
  }

  /** Where an event stands in the recorded order. */
  isBefore(a: EventId, b: EventId): boolean {
    const [u, v] = [this.view.positionOf(this.unit[a]!), this.view.positionOf(this.unit[b]!)]
    return u === v ? this.happened[a]! < this.happened[b]! || (this.happened[a] === this.happened[b] && a < b) : u < v
  }

  mayPrecede(a: EventId, b: EventId): boolean {
    if (a === b) return false
    if (this.unit[a] === this.unit[b]) return this.isBefore(a, b)
    if (this.view.before(this.unit[b]!, this.unit[a]!)) return false
    return this.isBefore(a, b) || !alwaysInFlow(this.view, this.doing(b), this.doing(a))
  }

  sameTask(a: EventId, b: EventId): boolean {
    return this.unit[a] === 0 || this.leads(a, b)
  }

  /** What main does is everybody's. */
  otherTask(a: EventId, b: EventId): boolean {
    if (this.unit[a] === 0 || this.unit[b] === 0) return false
    return !this.leads(a, b) && !this.leads(b, a)
  }

  flow(event: EventId): number {
    return this.stretch[event]!
  }

  private leads(a: EventId, b: EventId): boolean {
    const [from, to] = [this.stretch[a]!, this.stretch[b]!]
    if (from === to) return this.isBefore(a, b)
    if (!this.isBefore(a, b)) return false
    const key = from * (this.stretches + 1) + to
    let known = this.led.get(key)
    if (known === undefined) {
      known = leads(this.view, this.doing(a), this.doing(b))
      if (this.led.size === MOST_KNOWN) this.led.clear()
      this.led.set(key, known)
    }
    return known
  }
}
