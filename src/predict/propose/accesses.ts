/**
 * Accesses to shared locations, sorted into lines (same location, task, op and site) and classes (also the same locks held). Two classes of
 * different tasks either can never meet, because of a common lock, or meet in pairs that form windows: for each event of one, the events of
 * the other that must-order leaves free are contiguous. So pairs are found without looking at those that cannot be.
 */
import { sharedInt32 } from '../../base/grow.ts'
import { lowerBound } from '../../base/lower-bound.ts'
import { ACQUIRE, OPS, RELEASE, UPDATE, isAccess, isAcquire, isWrite } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId } from '../../trace/trace.ts'
import { beginOf, isReadHalf } from '../../trace/updates.ts'
import type { Causality } from '../../causal/causality.ts'
import { Locksets } from '../../causal/locksets.ts'
import type { MustOrder } from '../../causal/must-order.ts'

interface Alike {
  readonly task: TaskId
  readonly op: number
  readonly site: number
  /** In program order. */
  readonly events: Int32Array
}

export class AccessLine implements Alike {
  private kinds_: readonly number[] | undefined
  private rows_: Int32Array | undefined

  constructor(
    readonly task: TaskId,
    readonly op: number,
    readonly site: number,
    readonly events: Int32Array,
    /** Which locks were held, per event. */
    readonly locksets: Int32Array,
  ) {}

  /** The different locksets. */
  get kinds(): readonly number[] {
    return (this.kinds_ ??= distinct(this.locksets))
  }

  /** The clock rows of the events. */
  rows(must: MustOrder): Int32Array {
    return (this.rows_ ??= must.rowsOf(this.events))
  }

  /** One line for each lockset. */
  byLockset(): AccessLine[] {
    const { task, op, site } = this
    if (this.kinds.length === 1) return [this]
    return this.kinds.map((kind) => {
      const events = this.events.filter((_, i) => this.locksets[i] === kind)
      return new AccessLine(task, op, site, events, new Int32Array(events.length).fill(kind))
    })
  }
}

export interface AccessClass extends Alike {
  readonly lockset: number
}

export interface AccessColumns {
  /** Accesses per location, only of locations that two tasks touch and one writes; event order, so by task. */
  readonly start: Int32Array
  readonly events: Int32Array
  /** The locks held, per access. */
  readonly lockset: Int32Array
  readonly locksets: readonly (readonly number[])[]
}

export class Accesses {
  readonly locksets: Locksets
  private readonly start: Int32Array
  private readonly events: Int32Array
  private readonly lockset: Int32Array
  private readonly sorter = new Sorter()
  private readonly hasUpdates: boolean

  /** `known`: what another thread has worked out of the same trace. */
  constructor(
    readonly causality: Causality,
    known?: AccessColumns,
  ) {
    const { trace, sections } = causality
    const { op, target, taskStart } = trace
    this.locksets = new Locksets(sections, known?.locksets)
    this.hasUpdates = op.includes(UPDATE)
    if (known) {
      this.start = known.start
      this.events = known.events
      this.lockset = known.lockset
      return
    }
    const locations = trace.tables.locations.size
    const firstTask = new Int32Array(locations).fill(NONE)
    const shared = new Uint8Array(locations) // 1: two tasks, 2: written
    const start = sharedInt32(locations + 1)
    for (let t = 0; t < trace.taskCount; t++) {
      const end = taskStart[t + 1]!
      for (let e = taskStart[t]!; e < end; e++) {
        const o = op[e]!
        if (!isAccess(o)) continue
        const x = target[e]!
        if (firstTask[x] === NONE) firstTask[x] = t
        else if (firstTask[x] !== t) shared[x]! |= 1
        if (isWrite(o)) shared[x]! |= 2
        start[x + 1]!++
      }
    }
    for (let x = 0; x < locations; x++) start[x + 1] = start[x]! + (shared[x] === 3 ? start[x + 1]! : 0)
    const events = sharedInt32(start[locations]!)
    const lockset = sharedInt32(start[locations]!)
    const fill = start.slice(0, locations)
    const { changes } = sections
    let change = 0
    for (let t = 0; t < trace.taskCount; t++) {
      let held = 0
      const end = taskStart[t + 1]!
      for (let e = taskStart[t]!; e < end; e++) {
        const o = op[e]!
        if (isAccess(o)) {
          const x = target[e]!
          if (shared[x] !== 3) continue
          const at = fill[x]!++
          events[at] = e
          lockset[at] = held
        } else if (e === changes[change]) {
          held = isAcquire(o) ? this.locksets.with(held, memberOf(o, target[e]!)) : this.locksets.without(held, memberOf(o, target[e]!))
          change++
        }
      }
    }
    this.start = start
    this.events = events
    this.lockset = lockset
  }

  /** On shared buffers, but for the sets of locks. */
  handOver(): AccessColumns {
    const { start, events, lockset, locksets } = this
    return { start, events, lockset, locksets: locksets.all }
  }

  get sharedAccesses(): number {
    return this.events.length
  }

  *sharedLocations(): Iterable<number> {
    for (let x = 0; x + 1 < this.start.length; x++) if (this.start[x + 1]! > this.start[x]!) yield x
  }

  /** All accesses to a shared location, by task and position. */
  of(location: number): Int32Array {
    return this.events.subarray(this.start[location], this.start[location + 1])
  }

  /** The locks held, per access. */
  locksetsOf(location: number): Int32Array {
    return this.lockset.subarray(this.start[location], this.start[location + 1])
  }

  /**
   * The accesses that can race, with the locks held. An update is one access, a write that begins with its read half; the event is its
   * write half, whose begin is demanded.
   */
  meetable(location: number): { events: Int32Array; locksets: Int32Array } {
    const events = this.of(location)
    const locksets = this.locksetsOf(location)
    if (!this.hasUpdates) return { events, locksets }
    const { trace } = this.causality
    const whole = (_: number, i: number): boolean => !isReadHalf(trace, events[i]!)
    return { events: events.filter(whole), locksets: locksets.filter(whole) }
  }

  /** Where the accesses of a list begin, sorted by number as they are. */
  begins(events: Int32Array): Int32Array {
    return this.hasUpdates ? events.map((e) => beginOf(this.causality.trace, e)) : events
  }

  /** Lines of what can race. Their events are where the accesses begin. */
  lines(location: number): AccessLine[] {
    const { events, locksets: lockset } = this.meetable(location)
    const { from, order } = this.sorter.sort(this.causality, events, undefined)
    const sorted = gather(events, order)
    const locksets = gather(lockset, order)
    return from.slice(0, -1).map((at, k) => {
      const { task, op, site, events } = this.alike(sorted.subarray(at, from[k + 1]))
      return new AccessLine(task, op, site, op === UPDATE ? this.begins(events) : events, locksets.subarray(at, from[k + 1]))
    })
  }

  classes(location: number): AccessClass[] {
    const events = this.of(location)
    const lockset = this.locksetsOf(location)
    const { from, order } = this.sorter.sort(this.causality, events, lockset)
    const sorted = gather(events, order)
    return from.slice(0, -1).map((at, k) => ({ ...this.alike(sorted.subarray(at, from[k + 1])), lockset: lockset[order[at]!]! }))
  }

  private alike(events: Int32Array): Alike {
    const { trace, task } = this.causality
    const first = events[0]!
    return { task: task[first]!, op: trace.op[first]!, site: trace.site[first]!, events }
  }
}

/** Numbers what is alike by a hash of small numbers, and sorts stably by that number: no strings, no object per event. */
class Sorter {
  /** Number of the kind plus 1, by hash. */
  private slots = new Int32Array(256)
  private kindOf = new Int32Array(256)

  /** Kind k is `order` from from[k] up to from[k + 1], as places in `events`; kinds come in the order they are first met. */
  sort(causality: Causality, events: Int32Array, lockset: Int32Array | undefined): { from: number[]; order: Int32Array } {
    const { task, trace } = causality
    const { op, site } = trace
    const n = events.length
    const ops = OPS.length
    if (this.kindOf.length < n) this.kindOf = new Int32Array(2 * n)
    const { kindOf } = this
    // Per kind: task and op, site, lockset, hash, how many.
    const topOf: number[] = []
    const siteOf: number[] = []
    const lockOf: number[] = []
    const hashes: number[] = []
    const counts: number[] = []
    let slots: Int32Array = this.slots
    for (let i = 0; i < n; i++) {
      const e = events[i]!
      const top = task[e]! * ops + op[e]!
      const s = site[e]!
      const l = lockset ? lockset[i]! : 0
      const hash = mix(mix(top, s), l)
      let kind = NONE
      for (let at = hash & (slots.length - 1); ; at = (at + 1) & (slots.length - 1)) {
        kind = slots[at]! - 1
        if (kind === NONE || (siteOf[kind] === s && topOf[kind] === top && lockOf[kind] === l)) break
      }
      if (kind === NONE) {
        kind = hashes.length
        topOf.push(top)
        siteOf.push(s)
        lockOf.push(l)
        hashes.push(hash)
        counts.push(0)
        if (2 * hashes.length > slots.length) slots = this.rebuild(hashes)
        else this.place(hash, kind)
      }
      kindOf[i] = kind
      counts[kind]!++
    }
    const from = [0]
    for (let k = 0; k < counts.length; k++) from.push(from[k]! + counts[k]!)
    const fill = from.slice()
    const order = new Int32Array(n)
    for (let i = 0; i < n; i++) order[fill[kindOf[i]!]!++] = i
    if (hashes.length * 16 < this.slots.length) for (const hash of hashes) this.clear(hash)
    else this.slots.fill(0)
    return { from, order }
  }

  private place(hash: number, kind: number): void {
    let at = hash & (this.slots.length - 1)
    while (this.slots[at] !== 0) at = (at + 1) & (this.slots.length - 1)
    this.slots[at] = kind + 1
  }

  private rebuild(hashes: readonly number[]): Int32Array {
    this.slots = new Int32Array(4 * this.slots.length)
    hashes.forEach((hash, kind) => this.place(hash, kind))
    return this.slots
  }

  /** Frees the whole stretch that starts at the hash: every kind's stretch is freed in turn. */
  private clear(hash: number): void {
    for (let at = hash & (this.slots.length - 1); this.slots[at] !== 0; at = (at + 1) & (this.slots.length - 1)) this.slots[at] = 0
  }
}

function mix(a: number, b: number): number {
  const h = Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0x9e3779b1)
  return h ^ (h >>> 15)
}

function gather(list: Int32Array, order: Int32Array): Int32Array {
  const out = new Int32Array(order.length)
  for (let i = 0; i < order.length; i++) out[i] = list[order[i]!]!
  return out
}

function distinct(list: Int32Array): readonly number[] {
  let i = 1
  while (i < list.length && list[i] === list[0]) i++
  return i === list.length ? [list[0]!] : [...new Set(list)]
}

/** As Locksets numbers its members. */
const memberOf = (op: number, lock: number): number => 2 * lock + (op === ACQUIRE || op === RELEASE ? 1 : 0)

/** The indices [from, to) of `others` (of another task) that must-order leaves free between: not before `after`, not after `before`. */
export function freeWindow(
  causality: Causality,
  must: MustOrder,
  others: Pick<AccessClass, 'task' | 'events'>,
  after: EventId,
  before: EventId,
): readonly [number, number] {
  const { trace, task } = causality
  const from = lowerBound(others.events, trace.taskStart[others.task]! + must.count(after, others.task))
  const t = task[before]!
  const position = before - trace.taskStart[t]!
  let lo = from
  let hi = others.events.length
  while (lo < hi) {
    const mid = (lo + hi) >>> 1
    if (must.count(others.events[mid]!, t) <= position) lo = mid + 1
    else hi = mid
  }
  return [from, lo]
}
