/**
 * Must-order by vector clocks: for every event, how many events of each task are certain to come before it. A linear pass over the recorded
 * order (or, when only task-local order is known, over any order the edges allow).
 *
 * A task's clock changes only where an edge from another task arrives, so only those rows are kept, with the position they start to
 * hold; rows live in chunks that are never copied. Eight tasks and a change at every third event cost about twelve bytes an event.
 */
import { GrowInt32, sharedInt32 } from '../base/grow.ts'
import { JOIN, WAKE, isRead } from '../trace/ops.ts'
import { NONE, type EventId } from '../trace/trace.ts'
import type { Causality } from './causality.ts'

/** Numbers in a chunk of rows, about: few rows to a chunk where there are many tasks. */
const CHUNK_NUMBERS = 1 << 17

export interface MustRows {
  readonly chunks: readonly Int32Array[]
  readonly changeAt: readonly Int32Array[]
  readonly changeRow: readonly Int32Array[]
}

export class MustOrder {
  readonly taskCount: number
  private readonly chunkBits: number
  private readonly inChunk: number
  private readonly chunks: Int32Array[]
  private rows = 0
  /** Per task: the positions at which its clock changes, and the row that holds from there. */
  private readonly changeAt: readonly Int32Array[]
  private readonly changeRow: readonly Int32Array[]

  /** `known`: what another thread has worked out of the same trace, under the same model. */
  constructor(
    private readonly causality: Causality,
    known?: MustRows,
  ) {
    this.taskCount = causality.trace.taskCount
    this.chunkBits = Math.max(4, Math.floor(Math.log2(CHUNK_NUMBERS / Math.max(1, this.taskCount))))
    this.inChunk = (1 << this.chunkBits) - 1
    this.chunks = known ? [...known.chunks] : []
    if (known) {
      this.changeAt = known.changeAt
      this.changeRow = known.changeRow
      return
    }
    const order = causality.global ? causality.trace.recordedOrder() : someOrder(causality)
    const { at, row } = this.pass(order)
    this.changeAt = at.map((list) => list.finish())
    this.changeRow = row.map((list) => list.finish())
  }

  /** On shared buffers. */
  handOver(): MustRows {
    const { chunks, changeAt, changeRow } = this
    return { chunks, changeAt, changeRow }
  }

  /** Raises `clock` by everything that must precede `event`, and by the event itself. */
  joinPast(event: EventId, clock: Int32Array): void {
    const t = this.causality.task[event]!
    const position = event - this.causality.trace.taskStart[t]!
    const row = this.rowAt(t, position)
    if (row !== NONE) {
      const chunk = this.chunks[row >>> this.chunkBits]!
      const at = (row & this.inChunk) * this.taskCount
      for (let u = 0; u < this.taskCount; u++) if (chunk[at + u]! > clock[u]!) clock[u] = chunk[at + u]!
    }
    if (position + 1 > clock[t]!) clock[t] = position + 1
  }

  /** How many events of `task` must come before (or are) `event`. */
  count(event: EventId, task: number): number {
    const t = this.causality.task[event]!
    const position = event - this.causality.trace.taskStart[t]!
    return t === task ? position + 1 : this.countIn(this.rowAt(t, position), task)
  }

  /** Must `a` come before `b` whenever `b` happens? */
  before(a: EventId, b: EventId): boolean {
    const t = this.causality.task[a]!
    return a !== b && this.count(b, t) > a - this.causality.trace.taskStart[t]!
  }

  /** The rows that hold at the events of a list sorted by number, NONE where nothing of another task must come before. */
  rowsOf(events: Int32Array): Int32Array {
    const { task, trace } = this.causality
    const rows = new Int32Array(events.length)
    for (let i = 0; i < events.length;) {
      const t = task[events[i]!]!
      const first = trace.taskStart[t]!
      const end = trace.taskStart[t + 1]!
      const at = this.changeAt[t]!
      const row = this.changeRow[t]!
      let k = 0 // how many changes are at or before the event
      for (; i < events.length && events[i]! < end; i++) {
        const position = events[i]! - first
        // From one event to the next it may be one change or thousands: strides that double, then halving.
        let hi = k
        for (let stride = 1; hi < at.length && at[hi]! <= position; stride *= 2) {
          k = hi + 1
          hi += stride
        }
        if (hi > at.length) hi = at.length
        while (k < hi) {
          const mid = (k + hi) >>> 1
          if (at[mid]! <= position) k = mid + 1
          else hi = mid
        }
        rows[i] = k === 0 ? NONE : row[k - 1]!
      }
    }
    return rows
  }

  /** How many events of `task` must come before, by a row of `rowsOf` of another task's event. */
  countIn(row: number, task: number): number {
    return row === NONE ? 0 : this.chunks[row >>> this.chunkBits]![(row & this.inChunk) * this.taskCount + task]!
  }

  /** Bytes held, for the benchmarks. */
  get bytes(): number {
    let total = 0
    for (const chunk of this.chunks) total += chunk.byteLength
    for (const at of this.changeAt) total += 2 * at.buffer.byteLength
    return total
  }

  private rowAt(task: number, position: number): number {
    const at = this.changeAt[task]!
    let lo = 0
    let hi = at.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (at[mid]! <= position) lo = mid + 1
      else hi = mid
    }
    return lo === 0 ? NONE : this.changeRow[task]![lo - 1]!
  }

  private pass(order: Int32Array): { at: GrowInt32[]; row: GrowInt32[] } {
    const { causality, taskCount, chunks, chunkBits, inChunk } = this
    const { task, trace, writer } = causality
    const { op, taskStart } = trace
    const at = Array.from({ length: taskCount }, () => new GrowInt32(4))
    const row = Array.from({ length: taskCount }, () => new GrowInt32(4))
    const last = new Int32Array(taskCount).fill(NONE) // row that holds now
    let e = NONE
    let t = 0

    /** The row of a task's earlier event. What comes from another task is mostly of late, so look back from the end. */
    const rowBack = (u: number, position: number): number => {
      const list = at[u]!
      let hi = list.length
      let stride = 1
      let lo = hi - 1
      while (lo >= 0 && list.at(lo) > position) {
        hi = lo
        lo -= stride
        stride *= 2
      }
      if (lo < 0) lo = -1
      while (hi - lo > 1) {
        const mid = (lo + hi) >>> 1
        if (list.at(mid) > position) hi = mid
        else lo = mid
      }
      return lo < 0 ? NONE : row[u]!.at(lo)
    }
    /** An edge from an event of any task into `e`, of task `t`. */
    const arrive = (from: EventId): void => {
      const u = task[from]!
      if (u === t) return
      const position = from - taskStart[u]!
      const held = last[t]!
      if (held !== NONE && chunks[held >>> chunkBits]![(held & inChunk) * taskCount + u]! > position) return
      const changes = at[t]!
      const here = e - taskStart[t]!
      let mine = held
      if (changes.length === 0 || changes.at(changes.length - 1) !== here) {
        mine = this.newRow(held)
        last[t] = mine
        changes.push(here)
        row[t]!.push(mine)
      }
      const clock = chunks[mine >>> chunkBits]!
      const to = (mine & inChunk) * taskCount
      const theirs = rowBack(u, position)
      if (theirs !== NONE) {
        const past = chunks[theirs >>> chunkBits]!
        const first = (theirs & inChunk) * taskCount
        for (let v = 0; v < taskCount; v++) if (past[first + v]! > clock[to + v]!) clock[to + v] = past[first + v]!
      }
      clock[to + u] = position + 1
    }

    // Almost every event has at most one edge besides program order: from what the read right before it saw.
    const plain = causality.global && !trace.facts.branches && causality.model !== 'maximal' && !causality.free
    const readsBind = causality.model === 'data'
    for (let i = 0; i < order.length; i++) {
      e = order[i]!
      t = task[e]!
      const o = op[e]
      if (!plain || e === taskStart[t] || o === JOIN || o === WAKE) causality.inEdges(e, arrive)
      else if (readsBind && isRead(op[e - 1]!)) {
        const w = writer[e - 1]!
        if (w !== NONE) arrive(w)
      }
    }
    return { at, row }
  }

  private newRow(like: number): number {
    const { taskCount, chunks, chunkBits, inChunk } = this
    const row = this.rows++
    if ((row & inChunk) === 0) chunks.push(sharedInt32((inChunk + 1) * taskCount))
    if (like !== NONE) {
      const from = (like & inChunk) * taskCount
      const old = chunks[like >>> chunkBits]!
      const chunk = chunks[row >>> chunkBits]!
      const to = (row & inChunk) * taskCount
      for (let v = 0; v < taskCount; v++) chunk[to + v] = old[from + v]!
    }
    return row
  }
}

/** Any order of all events that keeps every direct edge: for traces whose recorded order is unknown. */
function someOrder(causality: Causality): Int32Array {
  const { trace } = causality
  const done = new Int32Array(trace.taskCount)
  const order = new Int32Array(trace.eventCount)
  let filled = 0
  for (let progress = true; progress;) {
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
