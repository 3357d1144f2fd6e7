/**
 * One run, stored as columns of typed arrays on shared buffers. Build one with TraceBuilder; nothing changes it afterwards.
 *
 * Events of a task are contiguous and in program order: task t has the events taskStart[t] .. taskStart[t + 1] - 1, and an event's number
 * is its place in the columns. `stamp` is where the event stood in its source (line of an STD file, row of a drawing, tick of a recorder);
 * with order 'global' recordedOrder() sorts by it. (A wait recorded as one event: see orderKeys.)
 */
import type { Names } from '../base/names.ts'
import type { Values } from './values.ts'
import { OPS, WAKE, isRelease } from './ops.ts'

export type EventId = number
export type TaskId = number
/** A task for every event, as narrow as their number allows. */
export type TaskColumn = Uint8Array | Uint16Array | Int32Array

/** The only sentinel: no event, no site, no target. */
export const NONE = -1

export interface TraceTables {
  readonly tasks: Names
  readonly locations: Names
  readonly locks: Names
  readonly signals: Names
  readonly queues: Names
  /** Functions, regions, called operations, branch conditions. */
  readonly names: Names
  readonly sites: Names
  readonly values: Values
}

export interface TraceColumns {
  readonly taskStart: Int32Array
  readonly op: Uint8Array
  readonly target: Int32Array
  readonly value: Int32Array
  readonly site: Int32Array
  readonly stamp: Int32Array
}

/** Is the recorded order of the whole run known, or only the order inside each task? */
export type OrderKind = 'global' | 'task'

export interface TraceFacts {
  /** What the trace was read from, for messages. */
  readonly source: string
  readonly order: OrderKind
  /** Branches were recorded, so a read binds only once something dependent follows it. */
  readonly branches: boolean
  /** Set when the file ended early: what was lost, in a sentence. */
  readonly truncated: string | undefined
}

export class Trace {
  readonly taskStart: Int32Array
  readonly op: Uint8Array
  readonly target: Int32Array
  readonly value: Int32Array
  readonly site: Int32Array
  readonly stamp: Int32Array
  private recorded: Int32Array | undefined
  private ranks_: Int32Array | undefined
  private tasks_: TaskColumn | undefined

  constructor(
    columns: TraceColumns,
    readonly tables: TraceTables,
    readonly facts: TraceFacts,
    /** What another thread has worked out of the same columns. */
    known?: { readonly recorded: Int32Array; readonly ranks: Int32Array; readonly tasks: TaskColumn },
  ) {
    this.recorded = known?.recorded
    this.ranks_ = known?.ranks
    this.tasks_ = known?.tasks
    this.taskStart = columns.taskStart
    this.op = columns.op
    this.target = columns.target
    this.value = columns.value
    this.site = columns.site
    this.stamp = columns.stamp
  }

  get eventCount(): number {
    return this.op.length
  }

  get taskCount(): number {
    return this.taskStart.length - 1
  }

  taskOf(event: EventId): TaskId {
    let lo = 0
    let hi = this.taskStart.length - 1
    while (hi - lo > 1) {
      const mid = (lo + hi) >>> 1
      if (this.taskStart[mid]! <= event) lo = mid
      else hi = mid
    }
    // Empty tasks share a start with their successor; the search above ends at the last of them, which holds the event.
    return lo
  }

  /** All events as the run went. Computed once; costs four bytes an event. */
  recordedOrder(): Int32Array {
    this.recorded ??= mergeBy(this, orderKeys(this))
    return this.recorded
  }

  /** Per event: its place in the recorded order. Computed once; costs four bytes an event. It grows along each task. */
  ranks(): Int32Array {
    if (this.ranks_) return this.ranks_
    const order = this.recordedOrder()
    const ranks = new Int32Array(new SharedArrayBuffer(order.length * 4))
    for (let i = 0; i < order.length; i++) ranks[order[i]!] = i
    return (this.ranks_ = ranks)
  }

  /** Per event: its task. Computed once; costs a byte an event where there are up to 256 tasks. */
  tasks(): TaskColumn {
    if (this.tasks_) return this.tasks_
    const tasks = emptyTasks(this.taskCount, this.eventCount)
    for (let t = 0; t < this.taskCount; t++) tasks.fill(t, this.taskStart[t], this.taskStart[t + 1])
    return (this.tasks_ = tasks)
  }

  /** How many events of the task are among the first `length` of the recorded order. */
  countAt(task: TaskId, length: number): number {
    const ranks = this.ranks()
    let lo = this.taskStart[task]!
    let hi = this.taskStart[task + 1]!
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (ranks[mid]! < length) lo = mid + 1
      else hi = mid
    }
    return lo - this.taskStart[task]!
  }

  /** All events as they stood in their source (by stamp, then number): the recorded order but for waits recorded as one event. */
  sourceOrder(): Int32Array {
    return orderKeys(this) === this.stamp ? this.recordedOrder() : mergeBy(this, this.stamp)
  }

  taskName(task: TaskId): string {
    return this.tables.tasks.at(task)
  }

  siteName(event: EventId): string {
    const site = this.site[event]!
    return site === NONE ? '' : this.tables.sites.at(site)
  }

  /** The name of what the event acts on, or the empty string. */
  targetName(event: EventId): string {
    const target = this.target[event]!
    if (target === NONE) return ''
    switch (OPS[this.op[event]!]!.target) {
      case 'location':
        return this.tables.locations.at(target)
      case 'lock':
        return this.tables.locks.at(target)
      case 'task':
        return this.tables.tasks.at(target)
      case 'signal':
        return this.tables.signals.at(target)
      case 'queue':
        return this.tables.queues.at(target)
      case 'name':
        return this.tables.names.at(target)
      case 'none':
        return ''
    }
  }

  /** The event as the text notation writes it: `w(x)=1`, `acq(l)`, `begin`. */
  eventText(event: EventId): string {
    const row = OPS[this.op[event]!]!
    const target = row.target === 'none' ? '' : `(${this.targetName(event)})`
    const value = row.hasValue ? this.tables.values.textOf(this.value[event]!) : ''
    return row.text + target + (value === '' ? '' : `=${value}`)
  }
}

function emptyTasks(tasks: number, events: number): TaskColumn {
  if (tasks <= 256) return new Uint8Array(new SharedArrayBuffer(events))
  return tasks <= 65536 ? new Uint16Array(new SharedArrayBuffer(2 * events)) : new Int32Array(new SharedArrayBuffer(4 * events))
}

/** Sorts by key, then number. Keys grow inside a task; where they are dense a linear scatter does it. */
function mergeBy(trace: Trace, key: Int32Array): Int32Array {
  const n = trace.eventCount
  const order = new Int32Array(new SharedArrayBuffer(n * 4))
  let max = 0
  let min = Infinity
  for (let e = 0; e < n; e++) {
    if (key[e]! > max) max = key[e]!
    if (key[e]! < min) min = key[e]!
  }
  if (n > 0 && max - min < 4 * n + 1024) {
    // Counting sort: events are visited in number order, so ties keep it.
    const slot = new Int32Array(max - min + 2)
    for (let e = 0; e < n; e++) slot[key[e]! - min + 1]!++
    for (let i = 1; i < slot.length; i++) slot[i]! += slot[i - 1]!
    for (let e = 0; e < n; e++) order[slot[key[e]! - min]!++] = e
    return order
  }
  // One number holds key and event, so that a typed sort does it: both stay below 2^31 and 2^22 pieces keep the product exact.
  return n < 2 ** 22 ? sortPacked(key, order) : mergeTasks(trace, key, order)
}

function sortPacked(key: Int32Array, order: Int32Array): Int32Array {
  const packed = Float64Array.from(key, (k, e) => k * 2 ** 22 + e).sort()
  for (let i = 0; i < packed.length; i++) order[i] = packed[i]! % 2 ** 22
  return order
}

/** A plain merge of the tasks: for long traces with clock-like stamps. */
function mergeTasks(trace: Trace, key: Int32Array, order: Int32Array): Int32Array {
  const at = trace.taskStart.slice(0, -1)
  for (let filled = 0; filled < order.length;) {
    let best = NONE
    let until = Infinity // the best task may run until the second best key
    for (let t = 0; t < at.length; t++) {
      if (at[t] === trace.taskStart[t + 1]) continue
      const k = key[at[t]!]!
      if (best === NONE || k < key[at[best]!]!) {
        if (best !== NONE) until = key[at[best]!]!
        best = t
      } else if (k < until) until = k
    }
    do order[filled++] = at[best]!++
    while (at[best]! < trace.taskStart[best + 1]! && key[at[best]!]! < until)
  }
  return order
}

/**
 * Stamps, but for waits that were recorded as one event: their release, wake and acquire share a stamp, though others ran in between. Nothing
 * else of the task happened meanwhile, so the release is placed right after the event before, and the wake and acquire right before the
 * event after; a wait directly followed by another keeps its own stamp there.
 */
function orderKeys(trace: Trace): Int32Array {
  const { op, stamp, taskStart } = trace
  let key: Int32Array | undefined
  if (!trace.tables.signals.size) return stamp
  for (let t = 0; t < trace.taskCount; t++) {
    for (let e = taskStart[t]! + 1; e < taskStart[t + 1]!; e++) {
      if (op[e] !== WAKE || stamp[e - 1] !== stamp[e] || !isRelease(op[e - 1]!)) continue
      key ??= stamp.slice()
      let first = e - 1
      while (first > taskStart[t]! && stamp[first - 1] === stamp[e]) first--
      let after = e + 1
      while (after < taskStart[t + 1]! && stamp[after] === stamp[e]) after++
      key.fill(first > taskStart[t]! ? key[first - 1]! : 0, first, e)
      const more = after < taskStart[t + 1]!
      const again = more && after + 1 < taskStart[t + 1]! && op[after + 1] === WAKE && stamp[after] === stamp[after + 1]
      if (!again) key.fill(more ? stamp[after]! : 2 ** 31 - 1, e, after)
      e = after - 1
    }
  }
  return key ?? stamp
}
