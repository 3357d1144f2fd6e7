/**
 * One attempt at an order: runs the events that must run, earliest recorded first, keeping the must-order and every edge chosen so far, and
 * steering around locks that are held, writes that would hide a value still to be read or divide an update, and wakes that nobody has notified. Where
 * steering gets stuck it goes on all the same and reports what the order violates: those are the rules the search still has to learn.
 */
import { NOTIFY, NOTIFY_ALL, UPDATE, WAKE, isAcquire, isRead, isRelease, isWrite } from '../../trace/ops.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import { isReadHalf } from '../../trace/updates.ts'
import { matchWakes } from '../../trace/wakes.ts'
import type { Causality } from '../../causal/causality.ts'
import type { Violations } from './clauses.ts'
import type { Question } from './question.ts'

export class Attempt {
  private readonly crossStart: Int32Array
  private readonly crossFrom: Int32Array
  private readonly sectionAt: Int32Array
  private readonly lastWrite: Int32Array
  /** Reads still to come that need the write (per write), or the initial value (per location). */
  private readonly awaited: Int32Array
  private readonly awaitedStart: Int32Array
  private readonly bound: Uint8Array
  private readonly done: Int32Array
  /** Open sections per lock. */
  private readonly open: number[][]
  private readonly wakeOf = new Map<EventId, EventId>()
  /** Per location: the updates whose read half has run and whose write half is still to run. Empty lists stay. */
  private readonly begun = new Map<number, EventId[]>()
  private readonly hasUpdates: boolean

  constructor(
    private readonly causality: Causality,
    notifyOf: ReadonlyMap<EventId, EventId>,
  ) {
    const { trace, task, sections } = causality
    const n = trace.eventCount
    this.crossStart = new Int32Array(n + 1)
    const from: number[] = []
    for (let e = 0; e < n; e++) {
      causality.inEdges(e, (source) => {
        if (task[source] !== task[e]) from.push(source)
      })
      this.crossStart[e + 1] = from.length
    }
    this.crossFrom = Int32Array.from(from)
    this.sectionAt = new Int32Array(n).fill(NONE)
    for (let s = 0; s < sections.count; s++) {
      this.sectionAt[sections.acquire[s]!] = s
      if (sections.release[s] !== NONE) this.sectionAt[sections.release[s]!] = s
    }
    this.lastWrite = new Int32Array(trace.tables.locations.size)
    this.awaited = new Int32Array(n)
    this.bound = new Uint8Array(n)
    this.awaitedStart = new Int32Array(trace.tables.locations.size)
    this.done = new Int32Array(trace.taskCount)
    this.open = Array.from({ length: trace.tables.locks.size }, () => [])
    for (const [wake, notify] of notifyOf) this.wakeOf.set(notify, wake)
    this.hasUpdates = trace.op.includes(UPDATE)
  }

  /**
   * An order of the first runs[t] events of each task t that keeps the edges (pairs of events, flat), and what it violates, if anything.
   */
  run(question: Question, runs: Int32Array, edges: readonly number[]): { order: Int32Array; violations: Violations | undefined } {
    const { causality, done, lastWrite } = this
    const { trace, task, rank } = causality
    const sources = sourcesByTarget(edges)
    done.fill(0)
    lastWrite.fill(NONE)
    for (const list of this.open) list.length = 0
    for (const list of this.begun.values()) list.length = 0
    this.prepareReads(question, runs)
    let total = 0
    const live: number[] = []
    for (let t = 0; t < runs.length; t++) {
      total += runs[t]!
      if (runs[t]! > 0) live.push(t)
    }
    const order = new Int32Array(total)
    const violations: Violations = { overlaps: [], wrongReads: [], divided: [], unserved: [], consumer: new Map() }
    let filled = 0
    if (causality.global) {
      // As long as all that was recorded runs, the recorded order is the one to follow: nothing in it breaks a rule.
      const recorded = trace.recordedOrder()
      for (; filled < total; filled++) {
        const e = recorded[filled]!
        const t = task[e]!
        if (done[t] === runs[t] || (sources.has(e) && !this.ready(e, sources))) break
        this.perform(e, runs, violations)
        order[filled] = e
        done[t]!++
      }
    }
    for (; filled < total; filled++) {
      let best = NONE
      let forced = NONE
      for (const t of live) {
        if (done[t] === runs[t]) continue
        const e = trace.taskStart[t]! + done[t]!
        if (best !== NONE && rank[e]! > rank[best]!) continue
        if (!this.ready(e, sources)) continue
        if (this.smooth(e, runs)) best = e
        else if (forced === NONE || rank[e]! < rank[forced]!) forced = e
      }
      const e = best !== NONE ? best : forced
      if (e === NONE) throw new Error('the edges of an attempt form a cycle')
      this.perform(e, runs, violations)
      order[filled] = e
      done[task[e]!]!++
    }
    if (causality.hasWakes) {
      const { pairs, unserved } = matchWakes(trace, order)
      violations.unserved = unserved
      if (unserved.length > 0) violations.consumer = new Map(pairs.map(([wake, notify]) => [notify, wake]))
    }
    const { overlaps, wrongReads, divided, unserved } = violations
    const good = overlaps.length + wrongReads.length + divided.length + unserved.length === 0
    return { order, violations: good ? undefined : violations }
  }

  private isDone(event: EventId): boolean {
    const t = this.causality.task[event]!
    return event - this.causality.trace.taskStart[t]! < this.done[t]!
  }

  private ready(e: EventId, sources: Map<EventId, EventId[]>): boolean {
    for (let i = this.crossStart[e]!; i < this.crossStart[e + 1]!; i++) if (!this.isDone(this.crossFrom[i]!)) return false
    const extra = sources.get(e)
    if (extra) for (const from of extra) if (!this.isDone(from)) return false
    return true
  }

  /** Would running the event now break or endanger a rule? */
  private smooth(e: EventId, runs: Int32Array): boolean {
    const { causality } = this
    const { trace, sections } = causality
    const op = trace.op[e]!
    if (isAcquire(op)) {
      const section = this.sectionAt[e]!
      if (section !== NONE) for (const other of this.open[trace.target[e]!]!) if (sections.conflict(section, other)) return false
      return true
    }
    if (isRead(op)) {
      const x = trace.target[e]!
      // Of two updates that have both begun, one divides the other.
      if (this.hasUpdates && this.hasBegun(x, e + 1) && this.beginsUpdate(e, runs)) return false
      return this.bound[e] === 0 || causality.maySee(e, this.lastWrite[x]!)
    }
    if (isWrite(op)) {
      const x = trace.target[e]!
      if (this.hasUpdates && this.hasBegun(x, e)) return false
      const current = this.lastWrite[x]!
      return (current === NONE ? this.awaitedStart[x]! : this.awaited[current]!) === 0
    }
    if (op === NOTIFY || op === NOTIFY_ALL) {
      const wake = this.wakeOf.get(e)
      if (wake === undefined || wake - trace.taskStart[causality.task[wake]!]! >= runs[causality.task[wake]!]!) return true
      const start = causality.waitStart(wake)
      return start === NONE || this.isDone(start)
    }
    if (op === WAKE) {
      // Good enough for steering: some notify of the signal has come since the wait began. The exact matching is checked at the end.
      for (const notify of causality.notifies.of(trace.target[e]!)) if (this.isDone(notify)) return true
      return false
    }
    return true
  }

  /** Has another update of the location begun than the one whose write half is `own`? */
  private hasBegun(location: number, own: EventId): boolean {
    const begun = this.begun.get(location)
    return begun !== undefined && begun.length > 0 && (begun.length > 1 || begun[0] !== own)
  }

  /** Is the event the read half of an update whose write half will run too? */
  private beginsUpdate(e: EventId, runs: Int32Array): boolean {
    const t = this.causality.task[e]!
    return isReadHalf(this.causality.trace, e) && e + 1 - this.causality.trace.taskStart[t]! < runs[t]!
  }

  private begin(update: EventId, location: number): void {
    const begun = this.begun.get(location)
    if (begun) begun.push(update)
    else this.begun.set(location, [update])
  }

  /** A write runs: it ends the update it belongs to and divides the others that have begun. */
  private divide(write: EventId, location: number, divided: Violations['divided']): void {
    const begun = this.begun.get(location)
    if (!begun || begun.length === 0) return
    const own = begun.indexOf(write)
    if (own >= 0) begun.splice(own, 1)
    for (const update of begun) divided.push([update, write])
  }

  private perform(e: EventId, runs: Int32Array, violations: Violations): void {
    const { causality } = this
    const { trace, sections } = causality
    const op = trace.op[e]!
    if (isWrite(op)) {
      this.lastWrite[trace.target[e]!] = e
      if (this.hasUpdates) this.divide(e, trace.target[e]!, violations.divided)
    } else if (isRead(op)) {
      if (this.hasUpdates && this.beginsUpdate(e, runs)) this.begin(e + 1, trace.target[e]!)
      if (this.bound[e] === 0) return
      const x = trace.target[e]!
      const seen = this.lastWrite[x]!
      if (!causality.maySee(e, seen)) violations.wrongReads.push([e, seen])
      if (!causality.global) return
      const writer = causality.writer[e]!
      if (writer === NONE) this.awaitedStart[x]!--
      else this.awaited[writer]!--
    } else if (this.sectionAt[e] !== NONE) {
      const section = this.sectionAt[e]!
      const open = this.open[trace.target[e]!]!
      if (isRelease(op)) open.splice(open.indexOf(section), 1)
      else {
        for (const other of open) if (sections.conflict(section, other)) violations.overlaps.push([section, other])
        open.push(section)
      }
    }
  }

  /** Which reads bind, and how many of them wait for each write. */
  private prepareReads(question: Question, runs: Int32Array): void {
    const { causality, awaited, awaitedStart, bound } = this
    const { trace } = causality
    awaited.fill(0)
    awaitedStart.fill(0)
    bound.fill(0)
    if (causality.model === 'sync') return
    for (let t = 0; t < runs.length; t++) {
      for (let i = 0, e = trace.taskStart[t]!; i < runs[t]!; i++, e++) {
        if (!isRead(trace.op[e]!) || !causality.binds(e, runs, question.nextOf)) continue
        bound[e] = 1
        if (!causality.global) continue
        if (causality.writer[e] === NONE) awaitedStart[trace.target[e]!]!++
        else awaited[causality.writer[e]!]!++
      }
    }
  }
}

function sourcesByTarget(edges: readonly number[]): Map<EventId, EventId[]> {
  const map = new Map<EventId, EventId[]>()
  for (let i = 0; i < edges.length; i += 2) {
    const list = map.get(edges[i + 1]!)
    if (list) list.push(edges[i]!)
    else map.set(edges[i + 1]!, [edges[i]!])
  }
  return map
}
