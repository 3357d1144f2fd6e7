/**
 * Accesses to shared locations in classes: same location, task, op, site and locks held. Two classes of different tasks either can never
 * meet, because of a common lock, or meet in pairs that form windows: for each event of one, the events of the other that must-order leaves
 * free are contiguous. So pairs are found without looking at those that cannot be.
 */
import { READ, WRITE, isAcquire, isRelease } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import { Locksets } from '../../causal/locksets.ts'
import type { MustOrder } from '../../causal/must-order.ts'

export interface AccessClass {
  readonly task: TaskId
  readonly op: number
  readonly site: number
  readonly lockset: number
  /** In program order: positions in the task, and the event is taskStart + position. */
  readonly events: Int32Array
}

export class Accesses {
  readonly locksets: Locksets
  /** Accesses per location, only of locations that two tasks touch and one writes; event order, so by task. */
  private readonly start: Int32Array
  private readonly events: Int32Array
  private readonly lockset: Int32Array

  constructor(readonly causality: Causality) {
    const { trace, sections } = causality
    const { op, target } = trace
    this.locksets = new Locksets(sections)
    const locations = trace.tables.locations.size
    const firstTask = new Int32Array(locations).fill(NONE)
    const shared = new Uint8Array(locations) // 1: two tasks, 2: written
    const start = new Int32Array(locations + 1)
    for (let t = 0; t < trace.taskCount; t++) {
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
        const o = op[e]
        if (o !== READ && o !== WRITE) continue
        const x = target[e]!
        if (firstTask[x] === NONE) firstTask[x] = t
        else if (firstTask[x] !== t) shared[x]! |= 1
        if (o === WRITE) shared[x]! |= 2
        start[x + 1]!++
      }
    }
    for (let x = 0; x < locations; x++) start[x + 1] = start[x]! + (shared[x] === 3 ? start[x + 1]! : 0)
    const events = new Int32Array(start[locations]!)
    const lockset = new Int32Array(start[locations]!)
    const fill = start.slice(0, locations)
    for (let t = 0; t < trace.taskCount; t++) {
      let held = 0
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
        const o = op[e]!
        if (o === READ || o === WRITE) {
          const x = target[e]!
          if (shared[x] !== 3) continue
          const at = fill[x]!++
          events[at] = e
          lockset[at] = held
        } else if (isAcquire(o) || isRelease(o)) held = this.locksets.of(sections.headBefore(e + 1, t))
      }
    }
    this.start = start
    this.events = events
    this.lockset = lockset
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

  classes(location: number): AccessClass[] {
    const { trace, task } = this.causality
    const byKey = new Map<string, { members: number[]; first: EventId; lockset: number }>()
    for (let i = this.start[location]!; i < this.start[location + 1]!; i++) {
      const e = this.events[i]!
      const key = `${task[e]} ${trace.op[e]} ${trace.site[e]} ${this.lockset[i]}`
      const found = byKey.get(key)
      if (found) found.members.push(e)
      else byKey.set(key, { members: [e], first: e, lockset: this.lockset[i]! })
    }
    return [...byKey.values()].map(({ members, first, lockset }) => ({
      task: task[first]!,
      op: trace.op[first]!,
      site: trace.site[first]!,
      lockset,
      events: Int32Array.from(members),
    }))
  }
}

/** Of the sorted `events`, the first index not below `least`. */
export function lowerBound(events: Int32Array, least: number): number {
  let lo = 0
  let hi = events.length
  while (lo < hi) {
    const mid = (lo + hi) >>> 1
    if (events[mid]! < least) lo = mid + 1
    else hi = mid
  }
  return lo
}

/** The indices [from, to) of `others` (of another task) that must-order leaves free between: not before `after`, not after `before`. */
export function freeWindow(
  causality: Causality,
  must: MustOrder,
  others: AccessClass,
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
