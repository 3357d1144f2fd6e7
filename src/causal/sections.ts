/**
 * Critical sections: from an outermost acquire of a lock to its matching release in the same task. Sections need not nest. Inner pairs of
 * a re-entrant lock open none. Shared and exclusive holds of one lock by one task are sections of their own.
 *
 * Sections are numbered by their acquire, so those of a task are contiguous and in order.
 */
import { GrowInt32, sharedInt32, sharedUint8 } from '../base/grow.ts'
import { ACQUIRE, RELEASE, isAcquire, isRelease } from '../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'

/** All of it on shared buffers. */
export interface SectionColumns {
  /** Per section. `release` is NONE where the trace never releases it. */
  readonly acquire: Int32Array
  readonly release: Int32Array
  readonly lock: Int32Array
  readonly task: Int32Array
  readonly exclusive: Uint8Array
  /** Sections of lock l: lockSections[lockStart[l] .. lockStart[l + 1]), in section order (so by task, then position). */
  readonly lockStart: Int32Array
  readonly lockSections: Int32Array
  /** What is held changes at these events (in event order); heads of linked lists of open sections, valid after the event. */
  readonly markEvent: Int32Array
  readonly markHead: Int32Array
  readonly nodeSection: Int32Array
  readonly nodeRest: Int32Array
}

const KNOWN = new WeakMap<Trace, Sections>()

export class Sections {
  readonly acquire: Int32Array
  readonly release: Int32Array
  readonly lock: Int32Array
  readonly task: Int32Array
  readonly exclusive: Uint8Array
  readonly lockStart: Int32Array
  readonly lockSections: Int32Array
  private readonly markEvent: Int32Array
  private readonly markHead: Int32Array
  private readonly nodeSection: Int32Array
  private readonly nodeRest: Int32Array

  /** Those of a trace, found once. */
  static of(trace: Trace): Sections {
    return KNOWN.get(trace) ?? Sections.takeOver(trace, findSections(trace))
  }

  /** Those that another thread has found in the same trace. */
  static takeOver(trace: Trace, columns: SectionColumns): Sections {
    const sections = new Sections(trace, columns)
    KNOWN.set(trace, sections)
    return sections
  }

  private constructor(
    private readonly trace: Trace,
    readonly columns: SectionColumns,
  ) {
    this.acquire = columns.acquire
    this.release = columns.release
    this.lock = columns.lock
    this.task = columns.task
    this.exclusive = columns.exclusive
    this.lockStart = columns.lockStart
    this.lockSections = columns.lockSections
    this.markEvent = columns.markEvent
    this.markHead = columns.markHead
    this.nodeSection = columns.nodeSection
    this.nodeRest = columns.nodeRest
  }

  get count(): number {
    return this.acquire.length
  }

  /** The events at which what is held changes, in event order. */
  get changes(): Int32Array {
    return this.markEvent
  }

  /** The head of the list of sections open just before `event` of `task` runs; walk it with sectionAt and rest. */
  headBefore(event: EventId, task: TaskId): number {
    let lo = 0
    let hi = this.markEvent.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.markEvent[mid]! < event) lo = mid + 1
      else hi = mid
    }
    if (lo === 0 || this.markEvent[lo - 1]! < this.trace.taskStart[task]!) return NONE
    return this.markHead[lo - 1]!
  }

  sectionAt(head: number): number {
    return this.nodeSection[head]!
  }

  rest(head: number): number {
    return this.nodeRest[head]!
  }

  /** Sections open just before `event` runs. */
  openBefore(event: EventId, task: TaskId): number[] {
    const out: number[] = []
    for (let h = this.headBefore(event, task); h !== NONE; h = this.rest(h)) out.push(this.sectionAt(h))
    return out
  }

  /** Would the two sections exclude each other? */
  conflict(a: number, b: number): boolean {
    return this.lock[a] === this.lock[b] && this.task[a] !== this.task[b] && (this.exclusive[a]! | this.exclusive[b]!) === 1
  }

  /** Would a try of the task for the lock fail inside the section? `shared`: one for a shared hold. */
  keepsOut(section: number, task: TaskId, shared: boolean): boolean {
    return this.task[section] !== task && (!shared || this.exclusive[section] === 1)
  }

  /** Where in lockSections the last section of `lock` stands whose acquire has a number below `event`; below lockStart[lock] if none. */
  lastOf(lock: number, event: EventId): number {
    let lo = this.lockStart[lock]!
    let hi = this.lockStart[lock + 1]!
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.acquire[this.lockSections[mid]!]! < event) lo = mid + 1
      else hi = mid
    }
    return lo - 1
  }

  /** The section whose outermost acquire is `event`, or NONE. */
  opening(event: EventId): number {
    let lo = 0
    let hi = this.acquire.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.acquire[mid]! < event) lo = mid + 1
      else hi = mid
    }
    return this.acquire[lo] === event ? lo : NONE
  }
}

function findSections(trace: Trace): SectionColumns {
  const { op, target, taskStart } = trace
  let acquires = 0
  let releases = 0
  for (let e = 0; e < op.length; e++) {
    if (isAcquire(op[e]!)) acquires++
    else if (isRelease(op[e]!)) releases++
  }
  // Room for every acquire; inner ones of a re-entrant lock leave some of it empty.
  const acquire = sharedInt32(acquires)
  const release = sharedInt32(acquires)
  const lock = sharedInt32(acquires)
  const task = sharedInt32(acquires)
  const exclusive = sharedUint8(acquires)
  const markEvent = sharedInt32(acquires + releases)
  const markHead = sharedInt32(acquires + releases)
  const nodeSection = new GrowInt32(acquires + 16)
  const nodeRest = new GrowInt32(acquires + 16)
  const cons = (section: number, rest: number): number => {
    nodeSection.push(section)
    nodeRest.push(rest)
    return nodeSection.length - 1
  }
  /** The list without one section; a new list where it stood below the head (locks released out of order). */
  const without = (head: number, section: number): number => {
    const above: number[] = []
    let at = head
    for (; nodeSection.at(at) !== section; at = nodeRest.at(at)) above.push(nodeSection.at(at))
    let rest = nodeRest.at(at)
    while (above.length > 0) rest = cons(above.pop()!, rest)
    return rest
  }

  const open = new Int32Array(2 * trace.tables.locks.size).fill(NONE) // section by lock and mode
  const depth = new Int32Array(2 * trace.tables.locks.size)
  let count = 0
  let marks = 0
  for (let t = 0; t < trace.taskCount; t++) {
    let head = NONE
    for (let e = taskStart[t]!; e < taskStart[t + 1]!; e++) {
      const o = op[e]!
      if (isAcquire(o)) {
        const key = target[e]! * 2 + (o === ACQUIRE ? 1 : 0)
        if (open[key] !== NONE) {
          depth[key]!++
          continue
        }
        acquire[count] = e
        release[count] = NONE
        lock[count] = target[e]!
        task[count] = t
        exclusive[count] = o === ACQUIRE ? 1 : 0
        open[key] = count
        depth[key] = 1
        head = cons(count++, head)
      } else if (isRelease(o)) {
        const key = target[e]! * 2 + (o === RELEASE ? 1 : 0)
        const section = open[key]!
        if (section === NONE || --depth[key]! > 0) continue
        release[section] = e
        open[key] = NONE
        head = without(head, section)
      } else continue
      markEvent[marks] = e
      markHead[marks++] = head
    }
    for (let h = head; h !== NONE; h = nodeRest.at(h)) open[2 * lock[nodeSection.at(h)]! + exclusive[nodeSection.at(h)]!] = NONE
  }
  const lockStart = sharedInt32(trace.tables.locks.size + 1)
  for (let i = 0; i < count; i++) lockStart[lock[i]! + 1]!++
  for (let l = 0; l + 1 < lockStart.length; l++) lockStart[l + 1]! += lockStart[l]!
  const lockSections = sharedInt32(count)
  const fill = lockStart.slice()
  for (let i = 0; i < count; i++) lockSections[fill[lock[i]!]!++] = i
  return {
    acquire: acquire.subarray(0, count),
    release: release.subarray(0, count),
    lock: lock.subarray(0, count),
    task: task.subarray(0, count),
    exclusive: exclusive.subarray(0, count),
    lockStart,
    lockSections,
    markEvent: markEvent.subarray(0, marks),
    markHead: markHead.subarray(0, marks),
    nodeSection: nodeSection.finish(),
    nodeRest: nodeRest.finish(),
  }
}
