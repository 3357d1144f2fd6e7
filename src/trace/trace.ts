/**
 * One run, stored as columns of typed arrays on shared buffers. Build one with TraceBuilder; nothing changes it afterwards.
 *
 * Events of a task are contiguous and in program order: task t has the events taskStart[t] .. taskStart[t + 1] - 1, and an event's number
 * is its place in the columns. `stamp` is where the event stood in its source (line of an STD file, row of a drawing, tick of a recorder);
 * with order 'global' sorting by (stamp, event) gives the recorded order of the whole run.
 */
import type { Names } from '../base/names.ts'
import type { Values } from './values.ts'
import { OPS } from './ops.ts'

export type EventId = number
export type TaskId = number

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

  constructor(
    columns: TraceColumns,
    readonly tables: TraceTables,
    readonly facts: TraceFacts,
  ) {
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

  /** All events in recorded order (by stamp, then number). Computed once; costs four bytes an event. */
  recordedOrder(): Int32Array {
    this.recorded ??= mergeByStamp(this)
    return this.recorded
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

/** Merges the tasks by stamp. Stamps grow inside a task, so this is a k-way merge; a linear scatter is used where stamps are dense. */
function mergeByStamp(trace: Trace): Int32Array {
  const n = trace.eventCount
  const order = new Int32Array(new SharedArrayBuffer(n * 4))
  let max = -1
  let min = Infinity
  for (let e = 0; e < n; e++) {
    const s = trace.stamp[e]!
    if (s > max) max = s
    if (s < min) min = s
  }
  if (n > 0 && max - min < 4 * n + 1024) {
    // Counting sort: events are visited in number order, so ties keep it.
    const slot = new Int32Array(max - min + 2)
    for (let e = 0; e < n; e++) slot[trace.stamp[e]! - min + 1]!++
    for (let i = 1; i < slot.length; i++) slot[i]! += slot[i - 1]!
    for (let e = 0; e < n; e++) order[slot[trace.stamp[e]! - min]!++] = e
    return order
  }
  const all = Array.from({ length: n }, (_, e) => e)
  all.sort((a, b) => trace.stamp[a]! - trace.stamp[b]! || a - b)
  order.set(all)
  return order
}
