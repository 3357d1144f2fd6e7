/** Which accesses of two tasks must-order leaves free to meet. */
import type { TaskId, Trace } from '../../trace/trace.ts'
import type { MustOrder } from '../../causal/must-order.ts'

/** Events of one task in program order, and their clock rows. */
export interface Side {
  readonly task: TaskId
  readonly events: Int32Array
  readonly rows: Int32Array
}

export interface Windows {
  /** Event i of one side is free to meet those from from[i] up to to[i] of the other. */
  readonly from: Int32Array
  readonly to: Int32Array
  /** How many pairs that makes. */
  readonly open: number
}

/** For each event of `a`, the events of `b`: both ends only move on, so each is looked for from the last, in strides that double. */
export function freeWindows(trace: Trace, must: MustOrder, a: Side, b: Side): Windows {
  const { taskStart } = trace
  const count = a.events.length
  const from = new Int32Array(count)
  const to = new Int32Array(count)
  const rowsA = a.rows
  const rowsB = b.rows
  const last = b.events.length
  let open = 0
  let lo = 0
  let hi = 0
  for (let i = 0; i < count; i++) {
    const least = taskStart[b.task]! + must.countIn(rowsA[i]!, b.task)
    const position = a.events[i]! - taskStart[a.task]!
    if (lo < last && b.events[lo]! < least) {
      let stride = 1
      while (lo + stride < last && b.events[lo + stride]! < least) stride *= 2
      let end = Math.min(lo + stride, last)
      lo += (stride >> 1) + 1
      while (lo < end) {
        const mid = (lo + end) >>> 1
        if (b.events[mid]! < least) lo = mid + 1
        else end = mid
      }
    }
    if (hi < lo) hi = lo
    if (hi < last && must.countIn(rowsB[hi]!, a.task) <= position) {
      let stride = 1
      while (hi + stride < last && must.countIn(rowsB[hi + stride]!, a.task) <= position) stride *= 2
      let end = Math.min(hi + stride, last)
      hi += (stride >> 1) + 1
      while (hi < end) {
        const mid = (hi + end) >>> 1
        if (must.countIn(rowsB[mid]!, a.task) <= position) hi = mid + 1
        else end = mid
      }
    }
    from[i] = lo
    to[i] = hi
    open += hi - lo
  }
  return { from, to, open }
}
