/**
 * Must-order by vector clocks: for every event, how many events of each task are certain to come before it. A linear pass over the recorded
 * order (or, when only task-local order is known, over any order the edges allow).
 *
 * A task's clock changes only where an edge from another task arrives, so only those rows are kept, with the position they start to
 * hold; rows live in chunks that are never copied. Eight tasks and a change at every third event cost about twelve bytes an event.
 */
import { GrowInt32 } from '../base/grow.ts'
import { NONE, type EventId } from '../trace/trace.ts'
import type { Causality } from './causality.ts'

const CHUNK_ROWS = 1 << 13

export class MustOrder {
  readonly taskCount: number
  private readonly chunks: Int32Array[] = []
  private rows = 0
  /** Per task: the positions at which its clock changes, and the row that holds from there. */
  private readonly changeAt: GrowInt32[] = []
  private readonly changeRow: GrowInt32[] = []

  constructor(private readonly causality: Causality) {
    this.taskCount = causality.trace.taskCount
    for (let t = 0; t < this.taskCount; t++) {
      this.changeAt.push(new GrowInt32(8))
      this.changeRow.push(new GrowInt32(8))
    }
    const order = causality.global ? causality.trace.recordedOrder() : someOrder(causality)
    this.pass(order)
  }

  /** Raises `clock` by everything that must precede `event`, and by the event itself. */
  joinPast(event: EventId, clock: Int32Array): void {
    const t = this.causality.task[event]!
    const position = event - this.causality.trace.taskStart[t]!
    const row = this.rowAt(t, position)
    if (row !== NONE) {
      const chunk = this.chunks[(row / CHUNK_ROWS) | 0]!
      const at = (row % CHUNK_ROWS) * this.taskCount
      for (let u = 0; u < this.taskCount; u++) if (chunk[at + u]! > clock[u]!) clock[u] = chunk[at + u]!
    }
    if (position + 1 > clock[t]!) clock[t] = position + 1
  }

  /** How many events of `task` must come before (or are) `event`. */
  count(event: EventId, task: number): number {
    const t = this.causality.task[event]!
    const position = event - this.causality.trace.taskStart[t]!
    if (t === task) return position + 1
    const row = this.rowAt(t, position)
    return row === NONE ? 0 : this.chunks[(row / CHUNK_ROWS) | 0]![(row % CHUNK_ROWS) * this.taskCount + task]!
  }

  /** Must `a` come before `b` whenever `b` happens? */
  before(a: EventId, b: EventId): boolean {
    const t = this.causality.task[a]!
    return a !== b && this.count(b, t) > a - this.causality.trace.taskStart[t]!
  }

  /** Bytes held, for the benchmarks. */
  get bytes(): number {
    let total = this.chunks.length * CHUNK_ROWS * this.taskCount * 4
    for (const c of this.changeAt) total += c.length * 8
    return total
  }

  private rowAt(task: number, position: number): number {
    const at = this.changeAt[task]!
    let lo = 0
    let hi = at.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (at.at(mid) <= position) lo = mid + 1
      else hi = mid
    }
    return lo === 0 ? NONE : this.changeRow[task]!.at(lo - 1)
  }

  private pass(order: Int32Array): void {
    const { causality, taskCount } = this
    const { task, trace } = causality
    const now = Array.from({ length: taskCount }, () => new Int32Array(taskCount))
    let clock = now[0]!
    let changed = false
    const arrive = (from: EventId): void => {
      const u = task[from]!
      const position = from - trace.taskStart[u]!
      if (clock[u]! > position) return
      changed = true
      const row = this.rowAt(u, position)
      if (row !== NONE) {
        const chunk = this.chunks[(row / CHUNK_ROWS) | 0]!
        const at = (row % CHUNK_ROWS) * taskCount
        for (let v = 0; v < taskCount; v++) if (chunk[at + v]! > clock[v]!) clock[v] = chunk[at + v]!
      }
      clock[u] = position + 1
    }
    for (let i = 0; i < order.length; i++) {
      const e = order[i]!
      const t = task[e]!
      const position = e - trace.taskStart[t]!
      clock = now[t]!
      clock[t] = position
      changed = false
      causality.inEdges(e, arrive)
      if (changed) this.keep(t, position, clock)
    }
  }

  private keep(task: number, position: number, clock: Int32Array): void {
    const chunk = (this.rows / CHUNK_ROWS) | 0
    this.chunks[chunk] ??= new Int32Array(CHUNK_ROWS * this.taskCount)
    this.chunks[chunk].set(clock, (this.rows % CHUNK_ROWS) * this.taskCount)
    this.changeAt[task]!.push(position)
    this.changeRow[task]!.push(this.rows)
    this.rows++
  }
}

/** Any order of all events that keeps every direct edge: for traces whose recorded order is unknown. */
export function someOrder(causality: Causality): Int32Array {
  const { trace } = causality
  const done = new Int32Array(trace.taskCount)
  const order = new Int32Array(trace.eventCount)
  let filled = 0
  for (let progress = true; progress; ) {
    progress = false
    for (let t = 0; t < trace.taskCount; t++) {
      for (; done[t]! < causality.lengthOf(t); done[t]!++) {
        const e = trace.taskStart[t]! + done[t]!
        let ready = true
        causality.inEdges(e, (from) => {
          const u = causality.task[from]!
          if (done[u]! <= from - trace.taskStart[u]!) ready = false
        })
        if (!ready) break
        order[filled++] = e
        progress = true
      }
    }
  }
  return order.subarray(0, filled)
}
