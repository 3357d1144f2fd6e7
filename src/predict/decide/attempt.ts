/**
 * One attempt at an order: runs the events that must run, earliest recorded first, keeping the must-order and every edge chosen so far, and
 * steering around locks that are held (or free, where a try has to fail), writes that would hide a value still to be read or divide an update, and wakes that nobody has notified. Where
 * steering gets stuck it goes on all the same and reports what the order violates: those are the rules the search still has to learn.
 *
 * As long as all that was recorded runs, the recorded order is followed, and nothing in it breaks a rule. So an attempt begins where something is left out or
 * turned round for the first time, with what is held and written there looked up, and costs what comes after. What is kept per location and lock is stamped with
 * the attempt it belongs to, so nothing has to be cleared.
 */
import {
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  TRY_SHARED_FAILED,
  UPDATE,
  WAKE,
  isAccess,
  isAcquire,
  isRead,
  isRelease,
  isTry,
  isWrite,
} from '../../trace/ops.ts'
import { GrowInt32 } from '../../base/grow.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import { isReadHalf } from '../../trace/updates.ts'
import { matchWakes } from '../../trace/wakes.ts'
import type { Causality } from '../../causal/causality.ts'
import { Difference, inRuns } from '../../witness/difference.ts'
import type { Violations } from './clauses.ts'
import { eachLeftOpen } from './left-open.ts'
import type { Question } from './question.ts'
import { RecordedAccesses } from './recorded-accesses.ts'

export class Attempt {
  /** Edges from other tasks into each event; undefined where almost every event has at most one, from what the read right before it saw, which is looked up. */
  private readonly cross: { readonly start: Int32Array; readonly from: Int32Array } | undefined
  private readonly accesses: RecordedAccesses | undefined
  /** Locations that one task alone uses: what happens there is the same in every order. */
  private readonly own: Uint8Array
  /** How many recorded events come first, all of them. */
  private kept = 0
  /** The number of this attempt: what carries another stamp is of an earlier one. */
  private now = 0
  /** Per location: what was written last, where the stamp is of now. */
  private readonly lastWrite: Int32Array
  private readonly writeStamp: Int32Array
  /** Per location: how many reads still to come need what is there, where the stamp is of now and nothing was written since. */
  private readonly awaited: Int32Array
  private readonly awaitedStamp: Int32Array
  private readonly done: Int32Array
  /** Open sections per lock, where the stamp is of now. */
  private readonly open: number[][]
  private readonly openStamp: Int32Array
  private readonly wakeOf = new Map<EventId, EventId>()
  /** Per location: the updates whose read half has run and whose write half is still to run. */
  private readonly begun = new Map<number, EventId[]>()
  private readonly hasUpdates: boolean
  /** Acquires of sections that stay open, and the releases that have to come before: nobody else gets the lock after them. */
  private readonly last = new Map<EventId, EventId[]>()
  /** The last place of the recorded run that an event which runs has. */
  private lastRank = 0

  constructor(
    private readonly causality: Causality,
    private readonly notifyOf: ReadonlyMap<EventId, EventId>,
  ) {
    const { trace } = causality
    const isPlain = causality.global && !trace.facts.branches && causality.model === 'data' && !causality.free
    this.cross = isPlain ? undefined : crossEdges(causality)
    this.own = usedByOne(causality)
    this.accesses = causality.global ? new RecordedAccesses(causality, this.own) : undefined
    this.done = new Int32Array(trace.taskCount)
    const locations = trace.tables.locations.size
    this.lastWrite = new Int32Array(locations)
    this.writeStamp = new Int32Array(locations)
    this.awaited = new Int32Array(locations)
    this.awaitedStamp = new Int32Array(locations)
    this.open = Array.from({ length: trace.tables.locks.size }, () => [])
    this.openStamp = new Int32Array(this.open.length)
    for (const [wake, notify] of notifyOf) this.wakeOf.set(notify, wake)
    this.hasUpdates = trace.op.includes(UPDATE)
  }

  /**
   * An order of the first runs[t] events of each task t that keeps the edges (pairs of events, flat), and what it violates, if anything.
   */
  run(question: Question, runs: Int32Array, edges: readonly number[]): { witness: Difference; violations: Violations | undefined } {
    const { causality } = this
    const { trace } = causality
    const live = this.begin(runs, edges)
    const violations: Violations = { overlaps: [], wrongReads: [], divided: [], idleTries: [], unserved: [], consumer: new Map() }
    const rest = this.walk(live, question, runs, sourcesByTarget(edges), violations)
    const witness = new Difference(trace, runs, this.kept, inRuns(trace, rest))
    if (causality.hasWakes && !this.servedAsRecorded(rest)) {
      const { pairs, unserved } = matchWakes(trace, witness.order)
      violations.unserved = unserved
      if (unserved.length > 0) violations.consumer = new Map(pairs.map(([wake, notify]) => [notify, wake]))
    }
    const { overlaps, wrongReads, divided, idleTries, unserved } = violations
    const good = overlaps.length + wrongReads.length + divided.length + idleTries.length + unserved.length === 0
    return { witness, violations: good ? undefined : violations }
  }

  /**
   * Runs what is left, earliest recorded first. A function of its own: a loop that the engine compiles while it runs is left at its end by way of the interpreter,
   * which has to happen only once for each attempt, with little after it.
   */
  private walk(
    live: number[],
    question: Question,
    runs: Int32Array,
    sources: Map<EventId, EventId[]>,
    violations: Violations,
  ): Int32Array<ArrayBuffer> {
    const { done } = this
    const { taskStart } = this.causality.trace
    const { rank } = this.causality
    let left = 0
    for (const t of live) left += runs[t]! - done[t]!
    const rest = new Int32Array(left)
    // Tasks stand in the order of what each has next, so most of them are not looked at.
    live.sort((t, u) => rank[taskStart[t]! + done[t]!]! - rank[taskStart[u]! + done[u]!]!)
    for (let filled = 0; filled < left; filled++) {
      const best = this.choose(live, question, runs, sources)
      const t = live[best]!
      const e = taskStart[t]! + done[t]!
      this.perform(e, question, runs, violations)
      rest[filled] = e
      if (++done[t]! === runs[t]) {
        live.splice(best, 1)
        continue
      }
      const after = rank[e + 1]!
      let i = best + 1
      for (; i < live.length && rank[taskStart[live[i]!]! + done[live[i]!]!]! < after; i++) live[i - 1] = live[i]!
      live[i - 1] = t
    }
    return rest
  }

  /** Which of the tasks goes on: the first whose next event breaks nothing, else the first that can. */
  private choose(live: readonly number[], question: Question, runs: Int32Array, sources: Map<EventId, EventId[]>): number {
    const { done } = this
    const { taskStart } = this.causality.trace
    let forced = NONE
    for (let i = 0; i < live.length; i++) {
      const e = taskStart[live[i]!]! + done[live[i]!]!
      if (!this.ready(e, sources)) continue
      if (this.smooth(e, question, runs)) return i
      if (forced === NONE) forced = i
    }
    if (forced === NONE) throw new Error('the edges of an attempt form a cycle')
    return forced
  }

  /** Puts everything to where the recorded order is left for the first time. Gives the tasks that go on from there. */
  private begin(runs: Int32Array, edges: readonly number[]): number[] {
    const { causality, done, begun } = this
    const { trace, sections, rank } = causality
    this.now++
    begun.clear()
    this.kept = causality.global ? trace.eventCount : 0
    this.lastRank = 0
    for (let t = 0; t < runs.length; t++) {
      const stop = trace.taskStart[t]! + runs[t]!
      if (stop < trace.taskStart[t + 1]! && rank[stop]! < this.kept) this.kept = rank[stop]!
      if (runs[t]! > 0) this.lastRank = Math.max(this.lastRank, rank[stop - 1]!)
    }
    for (let i = 0; i < edges.length; i += 2) {
      const [from, to] = [edges[i]!, edges[i + 1]!]
      if (rank[from]! > rank[to]! && rank[to]! < this.kept) this.kept = rank[to]!
    }
    this.findLast(runs)
    const live: number[] = []
    for (let t = 0; t < runs.length; t++) {
      const count = (done[t] = this.kept === 0 ? 0 : trace.countAt(t, this.kept))
      if (count < runs[t]!) live.push(t)
      if (count === 0) continue
      const next = trace.taskStart[t]! + count
      for (let h = sections.headBefore(next, t); h !== NONE; h = sections.rest(h)) {
        const section = sections.sectionAt(h)
        this.openOf(sections.lock[section]!).push(section)
      }
      if (this.hasUpdates && count < runs[t]! && trace.op[next] === UPDATE) this.startUpdate(next, trace.target[next]!)
    }
    return live
  }

  /** A section that stays open comes after all others of its lock. Where the recorded run has one of those later, its order is left there at the latest. */
  private findLast(runs: Int32Array): void {
    const { trace, sections, rank } = this.causality
    this.last.clear()
    eachLeftOpen(this.causality, runs, (open, other) => {
      const release = sections.release[other]!
      const u = sections.task[other]!
      if (release === NONE || release - trace.taskStart[u]! >= runs[u]!) return
      const acquire = sections.acquire[open]!
      if (rank[acquire]! < rank[sections.acquire[other]!]!) this.kept = Math.min(this.kept, rank[acquire]!)
      const before = this.last.get(acquire)
      if (before) before.push(release)
      else this.last.set(acquire, [release])
    })
  }

  private openOf(lock: number): number[] {
    const list = this.open[lock]!
    if (this.openStamp[lock] !== this.now) {
      this.openStamp[lock] = this.now
      list.length = 0
    }
    return list
  }

  private writeOf(location: number): EventId {
    if (this.writeStamp[location] === this.now) return this.lastWrite[location]!
    this.writeStamp[location] = this.now
    return (this.lastWrite[location] = this.accesses && this.kept > 0 ? this.accesses.writeBefore(location, this.kept) : NONE)
  }

  /** Has every wake its recorded notify before it, and that one after the begin of the wait? Where that is kept from the recorded run, it has. */
  private servedAsRecorded(rest: Int32Array): boolean {
    const { causality } = this
    if (!causality.global) return false
    let place: Map<EventId, number> | undefined
    for (let i = 0; i < rest.length; i++) {
      const wake = rest[i]!
      if (causality.trace.op[wake] !== WAKE) continue
      const notify = this.notifyOf.get(wake)
      if (notify === undefined || !this.isDone(notify)) return false
      place ??= new Map(Array.from(rest, (e, at) => [e, at]))
      const begun = place.get(causality.waitStart(wake)) ?? NONE
      const notified = place.get(notify) ?? NONE
      if (notified > i || begun > notified) return false
    }
    return true
  }

  private isDone(event: EventId): boolean {
    const t = this.causality.task[event]!
    return event - this.causality.trace.taskStart[t]! < this.done[t]!
  }

  private ready(e: EventId, sources: Map<EventId, EventId[]>): boolean {
    const { causality, cross } = this
    const { op, taskStart } = causality.trace
    if (cross) {
      for (let i = cross.start[e]!; i < cross.start[e + 1]!; i++) if (!this.isDone(cross.from[i]!)) return false
    } else if (e !== taskStart[causality.task[e]!] && op[e] !== JOIN && op[e] !== WAKE) {
      const writer = isRead(op[e - 1]!) ? causality.writer[e - 1]! : NONE
      if (writer !== NONE && !this.isDone(writer)) return false
    } else {
      let isReady = true
      causality.inEdges(e, (from) => {
        if (isReady && !this.isDone(from)) isReady = false
      })
      if (!isReady) return false
    }
    const extra = sources.size === 0 ? undefined : sources.get(e)
    if (extra) for (const from of extra) if (!this.isDone(from)) return false
    return true
  }

  /** Would running the event now break or endanger a rule? */
  private smooth(e: EventId, question: Question, runs: Int32Array): boolean {
    const { causality } = this
    const { trace, sections } = causality
    const op = trace.op[e]!
    if (isAcquire(op)) {
      const section = sections.opening(e)
      if (section !== NONE) for (const other of this.openOf(trace.target[e]!)) if (sections.conflict(section, other)) return false
      return this.last.get(e)?.every((release) => this.isDone(release)) ?? true
    }
    if (isTry(op)) return !this.fails(e, question, runs) || this.isKeptOut(e)
    if (isRead(op)) {
      const x = trace.target[e]!
      if (this.own[x] === 1) return true
      // Of two updates that have both begun, one divides the other.
      if (this.hasUpdates && this.hasBegun(x, e + 1) && this.beginsUpdate(e, runs)) return false
      return !this.isBound(e, question, runs) || causality.maySee(e, this.writeOf(x))
    }
    if (isWrite(op)) {
      const x = trace.target[e]!
      if (this.own[x] === 1) return true
      if (this.hasUpdates && this.hasBegun(x, e)) return false
      return this.awaitedAt(x, question, runs) === 0
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

  /** Does another task hold the lock that the try is for? */
  private isKeptOut(e: EventId): boolean {
    const { trace, sections, task } = this.causality
    return this.openOf(trace.target[e]!).some((s) => sections.keepsOut(s, task[e]!, trace.op[e] === TRY_SHARED_FAILED))
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

  private startUpdate(update: EventId, location: number): void {
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

  private perform(e: EventId, question: Question, runs: Int32Array, violations: Violations): void {
    const { causality } = this
    const { trace, sections } = causality
    const op = trace.op[e]!
    if (isWrite(op)) {
      const x = trace.target[e]!
      if (this.own[x] === 1) return
      this.lastWrite[x] = e
      this.writeStamp[x] = this.now
      this.awaitedStamp[x] = 0
      if (this.hasUpdates) this.divide(e, x, violations.divided)
    } else if (isRead(op)) {
      if (this.own[trace.target[e]!] === 1) return
      if (this.hasUpdates && this.beginsUpdate(e, runs)) this.startUpdate(e + 1, trace.target[e]!)
      if (!this.isBound(e, question, runs)) return
      const x = trace.target[e]!
      const seen = this.writeOf(x)
      if (!causality.maySee(e, seen)) violations.wrongReads.push([e, seen])
      if (causality.global && seen === causality.writer[e] && this.awaitedStamp[x] === this.now) this.awaited[x]!--
    } else if (isTry(op)) {
      if (this.fails(e, question, runs) && !this.isKeptOut(e)) violations.idleTries.push(e)
    } else if (isRelease(op)) {
      const open = this.openOf(trace.target[e]!)
      const section = open.findIndex((s) => sections.release[s] === e)
      if (section >= 0) open.splice(section, 1)
    } else if (isAcquire(op)) {
      const section = sections.opening(e)
      if (section === NONE) return
      const open = this.openOf(trace.target[e]!)
      for (const other of open) if (sections.conflict(section, other)) violations.overlaps.push([section, other])
      open.push(section)
    }
  }

  /** Does the try have to fail, as it did? */
  private fails(e: EventId, question: Question, runs: Int32Array): boolean {
    return this.causality.isFollowed(e, runs, question.nextOf)
  }

  private isBound(read: EventId, question: Question, runs: Int32Array): boolean {
    return this.causality.binds(read, runs, question.nextOf)
  }

  /** How many reads still to come need what is at the location now. */
  private awaitedAt(location: number, question: Question, runs: Int32Array): number {
    const { causality, accesses } = this
    if (!accesses || causality.model === 'sync') return 0
    if (this.awaitedStamp[location] === this.now) return this.awaited[location]!
    const { trace, task } = causality
    let count = 0
    accesses.eachReadOf(location, this.writeOf(location), this.kept, this.lastRank, (read) => {
      const place = read - trace.taskStart[task[read]!]!
      if (place < runs[task[read]!]! && place >= this.done[task[read]!]! && this.isBound(read, question, runs)) count++
    })
    this.awaitedStamp[location] = this.now
    this.awaited[location] = count
    return count
  }
}

function crossEdges(causality: Causality): { start: Int32Array; from: Int32Array } {
  const { trace, task } = causality
  const start = new Int32Array(trace.eventCount + 1)
  const from = new GrowInt32()
  for (let e = 0; e < trace.eventCount; e++) {
    causality.inEdges(e, (source) => {
      if (task[source] !== task[e]) from.push(source)
    })
    start[e + 1] = from.length
  }
  return { start, from: from.view() }
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

/** Where every read sees what it saw, whatever the others do. Without a recorded order that is not known of any location. */
function usedByOne({ trace, task, global }: Causality): Uint8Array {
  const locations = trace.tables.locations.size
  const one = new Uint8Array(locations)
  if (!global) return one
  const user = new Int32Array(locations).fill(NONE)
  one.fill(1)
  for (let e = 0; e < trace.eventCount; e++) {
    if (!isAccess(trace.op[e]!)) continue
    const x = trace.target[e]!
    if (user[x] === NONE) user[x] = task[e]!
    else if (user[x] !== task[e]) one[x] = 0
  }
  return one
}
