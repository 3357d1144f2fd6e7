/**
 * Critical sections: from an outermost acquire of a lock to its matching release in the same task. Sections need not nest. Inner pairs of
 * a re-entrant lock open none. Shared and exclusive holds of one lock by one task are sections of their own.
 *
 * Sections are numbered by their acquire, so those of a task are contiguous and in order.
 */
import { GrowInt32, GrowUint8 } from '../base/grow.ts'
import { ACQUIRE, RELEASE, isAcquire, isRelease } from '../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'

export class Sections {
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
  private readonly markEvent: Int32Array
  private readonly markHead: Int32Array
  private readonly nodeSection: Int32Array
  private readonly nodeRest: Int32Array

  constructor(private readonly trace: Trace) {
    const acquire = new GrowInt32()
    const release = new GrowInt32()
    const lock = new GrowInt32()
    const task = new GrowInt32()
    const exclusive = new GrowUint8()
    const markEvent = new GrowInt32()
    const markHead = new GrowInt32()
    const nodeSection = new GrowInt32()
    const nodeRest = new GrowInt32()
    const cons = (section: number, rest: number): number => {
      nodeSection.push(section)
      nodeRest.push(rest)
      return nodeSection.length - 1
    }
    /** The list without one section; a new list where it stood below the head (locks released out of order). */
    const without = (head: number, section: number): number => {
      if (head === NONE) return NONE
      if (nodeSection.at(head) === section) return nodeRest.at(head)
      return cons(nodeSection.at(head), without(nodeRest.at(head), section))
    }

    for (let t = 0; t < trace.taskCount; t++) {
      const open = new Map<number, { section: number; depth: number }>() // by lock and mode
      let head = NONE
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
        const op = trace.op[e]!
        if (isAcquire(op)) {
          const key = trace.target[e]! * 2 + (op === ACQUIRE ? 1 : 0)
          const held = open.get(key)
          if (held) {
            held.depth++
            continue
          }
          const section = acquire.length
          acquire.push(e)
          release.push(NONE)
          lock.push(trace.target[e]!)
          task.push(t)
          exclusive.push(op === ACQUIRE ? 1 : 0)
          open.set(key, { section, depth: 1 })
          head = cons(section, head)
        } else if (isRelease(op)) {
          const key = trace.target[e]! * 2 + (op === RELEASE ? 1 : 0)
          const held = open.get(key)
          if (!held || --held.depth > 0) continue
          release.set(held.section, e)
          open.delete(key)
          head = without(head, held.section)
        } else continue
        markEvent.push(e)
        markHead.push(head)
      }
    }
    this.acquire = acquire.finish()
    this.release = release.finish()
    this.lock = lock.finish()
    this.task = task.finish()
    this.exclusive = exclusive.finish()
    this.markEvent = markEvent.finish()
    this.markHead = markHead.finish()
    this.nodeSection = nodeSection.finish()
    this.nodeRest = nodeRest.finish()

    const locks = trace.tables.locks.size
    this.lockStart = new Int32Array(locks + 1)
    for (const l of this.lock) this.lockStart[l + 1]!++
    for (let l = 0; l < locks; l++) this.lockStart[l + 1]! += this.lockStart[l]!
    this.lockSections = new Int32Array(this.count)
    const fill = this.lockStart.slice(0, locks)
    for (let s = 0; s < this.count; s++) this.lockSections[fill[this.lock[s]!]!++] = s
  }

  get count(): number {
    return this.acquire.length
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
