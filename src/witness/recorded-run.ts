/**
 * What the checker of differences needs of the recorded run, to judge what is left of it when tasks stop early: which event of another task each
 * event relies on, which locks are held where, and the last writes. The recorded run itself must have passed the plain checker.
 */
import { GrowInt32 } from '../base/grow.ts'
import { ACQUIRE, RELEASE, TRY_SHARED_FAILED, isAcquire, isRelease, isTry } from '../trace/ops.ts'
import { NONE, type EventId, type TaskColumn, type TaskId, type Trace } from '../trace/trace.ts'

/**
 * "An event at place p of task u relies on the one at place q of task t", for all such pairs, as running maxima: if the first n events of u run, how many of t
 * must run?
 */
export class Reliance {
  /** Per task, then per other task: places in the task and, for each, how many of the other must run from there on. Both only grow. */
  private readonly of = new Map<TaskId, Map<TaskId, { at: GrowInt32; need: GrowInt32 }>>()

  /** Pairs must come in the order of u's events. */
  add(u: TaskId, p: number, t: TaskId, q: number): void {
    let others = this.of.get(u)
    if (!others) this.of.set(u, (others = new Map()))
    let list = others.get(t)
    if (!list) others.set(t, (list = { at: new GrowInt32(4), need: new GrowInt32(4) }))
    const { at, need } = list
    if (need.length > 0 && need.at(need.length - 1) > q) return
    at.push(p)
    need.push(q + 1)
  }

  /** Does what the first `count` events of u rely on run, when of each task t the first runs[t] do? */
  holds(u: TaskId, count: number, runs: Int32Array): boolean {
    const others = this.of.get(u)
    if (!others || count === 0) return true
    for (const [t, { at, need }] of others) {
      // How many pairs there are before place `count`.
      let lo = 0
      let hi = at.length
      while (lo < hi) {
        const mid = (lo + hi) >>> 1
        if (at.at(mid) < count) lo = mid + 1
        else hi = mid
      }
      if (lo > 0 && need.at(lo - 1) > runs[t]!) return false
    }
    return true
  }
}

/** Which acquires a task has not released, at any of its places. */
export class Holds {
  /** Events at which it changes, in number order, and the list that holds after each: lists share their ends. */
  private readonly event = new GrowInt32()
  private readonly head = new GrowInt32()
  private readonly acquire = new GrowInt32()
  private readonly rest = new GrowInt32()

  constructor(private readonly trace: Trace) {
    for (let t = 0; t < trace.taskCount; t++) {
      let head = NONE
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
        const op = trace.op[e]!
        if (isAcquire(op)) head = this.with(e, head)
        else if (isRelease(op)) head = this.without(head, trace.target[e]!, op === RELEASE)
        else continue
        this.event.push(e)
        this.head.push(head)
      }
    }
  }

  /** The acquires that the task has not released when its first `count` events have run, latest first. */
  after(task: TaskId, count: number): EventId[] {
    const first = this.trace.taskStart[task]!
    let lo = 0
    let hi = this.event.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.event.at(mid) < first + count) lo = mid + 1
      else hi = mid
    }
    const held: EventId[] = []
    if (lo === 0 || this.event.at(lo - 1) < first) return held
    for (let h = this.head.at(lo - 1); h !== NONE; h = this.rest.at(h)) held.push(this.acquire.at(h))
    return held
  }

  private with(acquire: EventId, rest: number): number {
    this.acquire.push(acquire)
    this.rest.push(rest)
    return this.acquire.length - 1
  }

  /** The list without the latest acquire of the lock in this mode; the same list if there is none. */
  private without(head: number, lock: number, exclusive: boolean): number {
    const { trace } = this
    const above: EventId[] = []
    for (let h = head; h !== NONE; h = this.rest.at(h)) {
      const a = this.acquire.at(h)
      if (trace.target[a] === lock && (trace.op[a] === ACQUIRE) === exclusive) {
        let rest = this.rest.at(h)
        while (above.length > 0) rest = this.with(above.pop()!, rest)
        return rest
      }
      above.push(a)
    }
    return head
  }
}

/** Tries that failed, and for each an acquire of another task that held the lock then. */
export function keptOutBy(trace: Trace, task: TaskColumn): Map<EventId, EventId> {
  const found = new Map<EventId, EventId>()
  if (!trace.op.some(isTry)) return found
  /** Per lock: acquires that have not been released. */
  const open = new Map<number, EventId[]>()
  for (const e of trace.recordedOrder()) {
    const op = trace.op[e]!
    const lock = trace.target[e]!
    if (isAcquire(op)) {
      const list = open.get(lock)
      if (list) list.push(e)
      else open.set(lock, [e])
    } else if (isRelease(op)) {
      const list = open.get(lock) ?? []
      const own = list.findLastIndex((a) => task[a] === task[e] && (trace.op[a] === ACQUIRE) === (op === RELEASE))
      if (own >= 0) list.splice(own, 1)
    } else if (isTry(op)) {
      const holder = open.get(lock)?.find((a) => task[a] !== task[e] && (op !== TRY_SHARED_FAILED || trace.op[a] === ACQUIRE))
      if (holder !== undefined) found.set(e, holder)
    }
  }
  return found
}

/** Events of some sort by what they act on, in a given order. */
export class ByTarget {
  /** Where the events of each target begin. */
  readonly start: Int32Array
  readonly events: Int32Array

  constructor(trace: Trace, targets: number, order: Int32Array | undefined, counts: (op: number) => boolean) {
    const { op, target } = trace
    const isCounted = Uint8Array.from({ length: 256 }, (_, o) => (counts(o) ? 1 : 0))
    const start = (this.start = new Int32Array(targets + 1))
    for (let e = 0; e < op.length; e++) if (isCounted[op[e]!] === 1) start[target[e]! + 1]!++
    for (let x = 0; x < targets; x++) start[x + 1]! += start[x]!
    const fill = start.slice(0, targets)
    this.events = new Int32Array(start[targets]!)
    for (let i = 0; i < op.length; i++) {
      const e = order ? order[i]! : i
      if (isCounted[op[e]!] === 1) this.events[fill[target[e]!]!++] = e
    }
  }
}
