/**
 * What must keep its order under a model, as direct edges that each know their reason. Everything else in this folder (clocks, explain)
 * and the deciders are built on `inEdges`.
 *
 * An edge s → e says: whenever e is in a feasible reordering, s is in it too and comes before. A read's writer is therefore an edge
 * into the first dependent event after the read (or the join of its task), not into the read: until then the read may see anything
 * (docs/model.md).
 */
import { FORK, JOIN, NOTIFY, NOTIFY_ALL, OPS, WAKE, isRead, isTry, isWrite } from '../trace/ops.ts'
import { NONE, type EventId, type TaskColumn, type TaskId, type Trace } from '../trace/trace.ts'
import { NOT_OBSERVED } from '../trace/values.ts'
import { waitStart } from '../trace/wakes.ts'
import type { Model } from '../trace/model.ts'
import { ByTarget } from './by-target.ts'
import { readsFrom } from './reads-from.ts'
import { Sections } from './sections.ts'

export type Reason = 'program' | 'fork' | 'join' | 'reads' | 'notify'

/** The value a location starts with: a code, or UNKNOWN_START. */
const UNKNOWN_START = -(2 ** 31)

const MANY = -2
const NO_EVENTS: readonly EventId[] = []

export class Causality {
  /** Task of every event. */
  readonly task: TaskColumn
  readonly forkOf: Int32Array
  /** The recorded writer of every read (NONE: initial value, or unknown when only task-local order was recorded). */
  readonly writer: Int32Array
  readonly sections: Sections
  /** Notifies per signal, in event order. */
  readonly notifies: ByTarget
  readonly wakes: ByTarget
  readonly hasWakes: boolean
  /** Tries that failed, per lock, in event order. */
  readonly tries: ByTarget
  readonly global: boolean
  private readonly joinsOf: Map<TaskId, EventId[]>
  private readonly later: Later
  private readonly valueWriters = new Map<number, Map<number, number>>()

  constructor(
    readonly trace: Trace,
    readonly model: Model,
    shared?: Causality,
    /** Reads that never bind, by event (free-reads.ts); undefined: all may. */
    readonly free?: Uint8Array,
  ) {
    this.global = trace.facts.order === 'global'
    if (shared) {
      this.task = shared.task
      this.forkOf = shared.forkOf
      this.writer = shared.writer
      this.sections = shared.sections
      this.notifies = shared.notifies
      this.wakes = shared.wakes
      this.hasWakes = shared.hasWakes
      this.tries = shared.tries
      this.joinsOf = shared.joinsOf
      this.later = shared.later
      return
    }
    this.task = trace.tasks()
    this.forkOf = new Int32Array(trace.taskCount).fill(NONE)
    this.joinsOf = new Map()
    for (let e = 0; e < trace.eventCount; e++) {
      if (trace.op[e] === FORK) this.forkOf[trace.target[e]!] = e
      else if (trace.op[e] === JOIN) {
        const known = this.joinsOf.get(trace.target[e]!)
        if (known) known.push(e)
        else this.joinsOf.set(trace.target[e]!, [e])
      }
    }
    this.writer = readsFrom(trace)
    this.sections = Sections.of(trace)
    const signals = trace.tables.signals.size
    this.notifies = new ByTarget(trace, signals, (op) => op === NOTIFY || op === NOTIFY_ALL)
    this.wakes = new ByTarget(trace, signals, (op) => op === WAKE)
    this.hasWakes = this.wakes.events.length > 0
    this.tries = new ByTarget(trace, trace.tables.locks.size, isTry)
    this.later = new Later(trace, this.writer)
  }

  /** Place of every event in the recorded order. */
  get rank(): Int32Array {
    return this.trace.ranks()
  }

  /** Writes per location, in event order. */
  get writes(): ByTarget {
    return this.later.writes
  }

  /** The value each location starts with. */
  private get start(): Int32Array {
    return this.later.start
  }

  /** Was `a` recorded before `b`? (With task-local order only: a guess.) */
  earlier(a: EventId, b: EventId): boolean {
    return this.rank[a]! < this.rank[b]!
  }

  /** The event after `event` in its task, or NONE. */
  after(event: EventId): EventId {
    return event + 1 < this.trace.taskStart[this.task[event]! + 1]! ? event + 1 : NONE
  }

  /** The first event after the read (or the try) in its task that can depend on it, or NONE. */
  bindsAt(read: EventId): EventId {
    let f = this.after(read)
    if (this.trace.facts.branches) while (f !== NONE && !OPS[this.trace.op[f]!]!.dependent) f = this.after(f)
    return f
  }

  /** The events that make the read bind when they run: the first dependent one in its task, or else the joins of the task. */
  boundBy(read: EventId): readonly EventId[] {
    const f = this.bindsAt(read)
    return f === NONE ? (this.joinsOf.get(this.task[read]!) ?? NO_EVENTS) : [f]
  }

  /** Does the read bind when the first runs[t] events of each task t run, and nextOf[t] stands next? */
  binds(read: EventId, runs: Int32Array, nextOf: Int32Array): boolean {
    return !this.isFree(read) && this.isFollowed(read, runs, nextOf)
  }

  /** The same of a try, which no model leaves free: does something run, or stand next, that can depend on it? */
  isFollowed(event: EventId, runs: Int32Array, nextOf: Int32Array): boolean {
    const t = this.task[event]!
    const f = this.bindsAt(event)
    if (f !== NONE) return f - this.trace.taskStart[t]! < runs[t]! || nextOf[t] === f
    for (const join of this.joinsOf.get(t) ?? NO_EVENTS) {
      const u = this.task[join]!
      if (join - this.trace.taskStart[u]! < runs[u]!) return true
    }
    return false
  }

  /** The release that starts the wait which ends in `wake`, or NONE for a bare wake. */
  waitStart(wake: EventId): EventId {
    return waitStart(this.trace, wake)
  }

  /** The one write a binding read can see, or NONE when there is a choice or it sees the initial value. */
  onlyWriter(read: EventId): EventId {
    if (this.model === 'sync' || this.free?.[read] === 1) return NONE
    if (this.model === 'data' || this.mustSeeRecorded(read)) return this.writer[read]!
    const value = this.trace.value[read]!
    const x = this.trace.target[read]!
    if (value === NOT_OBSERVED || this.start[x] === value) return NONE
    const same = this.writersOf(x).get(value) ?? NONE
    const recorded = this.writer[read]! // always a choice, even where the value differs because a write went unrecorded
    return same === NONE || same === recorded ? recorded : NONE
  }

  /** The only write of each value to a location, or MANY. */
  private writersOf(x: number): Map<number, number> {
    let map = this.valueWriters.get(x)
    if (!map) {
      this.valueWriters.set(x, (map = new Map()))
      for (const w of this.writes.of(x)) {
        const value = this.trace.value[w]!
        map.set(value, map.has(value) ? MANY : w)
      }
    }
    return map
  }

  /** Under the model, may the read see `write` (NONE: the initial value)? */
  maySee(read: EventId, write: EventId): boolean {
    if (this.model === 'sync') return true
    if (this.global && write === this.writer[read]) return true
    if (this.model === 'data') return false
    const value = this.trace.value[read]!
    if (value === NOT_OBSERVED) return !this.global
    return value === (write === NONE ? this.start[this.trace.target[read]!] : this.trace.value[write])
  }

  /** Does the model let the read see nothing but its recorded write? */
  mustSeeRecorded(read: EventId): boolean {
    return this.model === 'data' || (this.model === 'maximal' && this.global && this.trace.value[read] === NOT_OBSERVED)
  }

  /** Is the read free whatever follows? */
  isFree(read: EventId): boolean {
    return this.model === 'sync' || this.free?.[read] === 1 || (!this.global && this.trace.value[read] === NOT_OBSERVED)
  }

  /** Calls `visit` for every direct edge into `event`, program order included. */
  inEdges(event: EventId, visit: (from: EventId, reason: Reason, read: EventId) => void): void {
    const { trace } = this
    const t = this.task[event]!
    const first = trace.taskStart[t]!
    if (event > first) visit(event - 1, 'program', NONE)
    else if (this.forkOf[t] !== NONE) visit(this.forkOf[t]!, 'fork', NONE)
    const op = trace.op[event]!
    if (op === JOIN) {
      const u = trace.target[event]!
      const end = trace.taskStart[u + 1]!
      if (end > trace.taskStart[u]!) visit(end - 1, 'join', NONE)
      // What a task read last may be its result.
      if (this.global) this.visitReads(end, u, visit)
    }
    if (op === WAKE) {
      const only = this.onlyNotify(event)
      if (only !== NONE) visit(only, 'notify', NONE)
    }
    // Without a global order what a read saw is a guess among values; it is left to the search.
    if (this.global && (!trace.facts.branches || OPS[op]!.dependent)) this.visitReads(event, t, visit)
  }

  /** The writers of the task's reads that bind at `event` (or, past its last event, when it is joined). */
  private visitReads(event: EventId, t: TaskId, visit: (from: EventId, reason: Reason, read: EventId) => void): void {
    const { trace } = this
    if (this.model === 'sync') return
    for (let e = event - 1; e >= trace.taskStart[t]!; e--) {
      if (isRead(trace.op[e]!)) {
        const w = this.onlyWriter(e)
        if (w !== NONE) visit(w, 'reads', e)
      }
      if (!trace.facts.branches || OPS[trace.op[e]!]!.dependent) return
    }
  }

  /** Edges that must be kept for `event` to stand next: it has not run, so what it waits for (a join, a notify) may still be missing. */
  edgesToReach(event: EventId, visit: (from: EventId) => void): void {
    this.inEdges(event, (from, reason, read) => {
      if (reason === 'join' || reason === 'notify' || (read !== NONE && this.task[read] !== this.task[event])) return
      visit(from)
    })
  }

  /** The only notify that could ever serve the wake, or NONE when there is a choice. */
  onlyNotify(wake: EventId): EventId {
    let only = NONE
    for (const n of this.notifies.of(this.trace.target[wake]!)) {
      if (this.task[n] === this.task[wake] && n > wake) continue
      if (only !== NONE) return NONE
      only = n
    }
    return only
  }

  /** The last write to the location among the events from `from` up to but not including `to`, or NONE. */
  lastWriteBelow(location: number, from: EventId, to: EventId): EventId {
    const i = this.writes.start[location]! + this.writes.countBelow(location, to) - 1
    return i >= this.writes.start[location]! && this.writes.events[i]! >= from ? this.writes.events[i]! : NONE
  }

  positionOf(event: EventId): number {
    return event - this.trace.taskStart[this.task[event]!]!
  }

  lengthOf(task: TaskId): number {
    return this.trace.taskStart[task + 1]! - this.trace.taskStart[task]!
  }
}

/** What must-order does without, made when first asked for: on long traces it is the larger part. */
class Later {
  private writes_: ByTarget | undefined
  private start_: Int32Array | undefined

  constructor(
    private readonly trace: Trace,
    private readonly writer: Int32Array,
  ) {}

  get writes(): ByTarget {
    return (this.writes_ ??= new ByTarget(this.trace, this.trace.tables.locations.size, isWrite))
  }

  get start(): Int32Array {
    if (this.start_) return this.start_
    const { trace } = this
    const global = trace.facts.order === 'global'
    const start = new Int32Array(trace.tables.locations.size).fill(UNKNOWN_START)
    const written = global ? undefined : new Set<string>()
    if (written) for (const w of this.writes.events) written.add(`${trace.target[w]} ${trace.value[w]}`)
    const events = global ? trace.recordedOrder() : undefined
    for (let i = 0; i < trace.eventCount; i++) {
      const e = events ? events[i]! : i
      const x = trace.target[e]!
      if (!isRead(trace.op[e]!) || trace.value[e] === NOT_OBSERVED || start[x] !== UNKNOWN_START) continue
      if (written ? !written.has(`${x} ${trace.value[e]}`) : this.writer[e] === NONE) start[x] = trace.value[e]!
    }
    return (this.start_ = start)
  }
}
