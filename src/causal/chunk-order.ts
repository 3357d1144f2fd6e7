/**
 * The recorded order of the events of a chunk, and whether that is an order the chunk could have run in by itself: windows of different tasks may lie far apart,
 * and then a read saw a write that the chunk does not have.
 */
import { JOIN, NOTIFY, NOTIFY_ALL, WAKE, isAcquire, isRead, isRelease, isWrite } from '../trace/ops.ts'
import { NONE } from '../trace/trace.ts'
import { NOT_OBSERVED } from '../trace/values.ts'
import type { Cuts } from './chunk-cuts.ts'

interface Columns {
  readonly taskStart: Int32Array
  readonly op: Uint8Array
  readonly target: Int32Array
  readonly value: Int32Array
}

export function inRecordedOrder(columns: Columns, origin: Int32Array, cuts: Cuts): { stamp: Int32Array; asRecorded: boolean } {
  const { op, taskStart } = columns
  const n = op.length
  const stamp = new Int32Array(new SharedArrayBuffer(n * 4))
  const order = new Float64Array(n)
  // What the chunk begins with comes first: (before), the last but one, forks the others; of the rest each forks the next, and all wait for the last one.
  const before = taskStart.length - 3
  let extras = 0
  const place = (e: number): number => {
    if (origin[e] !== NONE) return cuts.rank[origin[e]!]!
    return op[e] === JOIN ? -1 : extras++ - n - 1
  }
  const fill = (t: number, at: number): number => {
    for (let e = taskStart[t]!; e < taskStart[t + 1]!; e++) order[at++] = place(e) * 2 ** 22 + e
    return at
  }
  let filled = fill(before, 0)
  for (let t = 0; t < taskStart.length - 1; t++) if (t !== before) filled = fill(t, filled)
  order.sort()
  const walk = new Walk(columns, origin, cuts.served)
  let asRecorded = true
  for (let i = 0; i < n; i++) {
    const e = ((order[i]! % 2 ** 22) + 2 ** 22) % 2 ** 22
    stamp[e] = i
    if (asRecorded && !walk.goes(e)) asRecorded = false
  }
  return { stamp, asRecorded }
}

/** Goes along the order and says where it could not have gone on. Where in doubt it says so: a chunk without an order of its own is decided by values alone. */
class Walk {
  private readonly last = new Map<number, number>()
  private readonly holder = new Map<number, number>()
  private readonly depth = new Map<number, number>()
  private readonly notified = new Set<number>()
  private readonly task: Int32Array
  private readonly done: Int32Array

  constructor(
    private readonly columns: Columns,
    private readonly origin: Int32Array,
    private readonly served: ReadonlyMap<number, number>,
  ) {
    const { taskStart, op } = columns
    this.task = new Int32Array(op.length)
    this.done = new Int32Array(taskStart.length - 1)
    for (let t = 0; t < taskStart.length - 1; t++) this.task.fill(t, taskStart[t], taskStart[t + 1])
  }

  goes(e: number): boolean {
    const { op, target, value, taskStart } = this.columns
    const o = op[e]!
    const x = target[e]!
    const t = this.task[e]!
    this.done[t]!++
    if (isRead(o)) return value[e] === NOT_OBSERVED || this.last.get(x) === value[e]
    if (isWrite(o)) this.last.set(x, value[e]!)
    else if (o === JOIN) return this.done[x] === taskStart[x + 1]! - taskStart[x]!
    else if (isAcquire(o)) {
      // Shared holds are taken for exclusive ones here.
      const depth = this.depth.get(x) ?? 0
      if (depth > 0 && this.holder.get(x) !== t) return false
      this.holder.set(x, t)
      this.depth.set(x, depth + 1)
    } else if (isRelease(o)) this.depth.set(x, Math.max(0, (this.depth.get(x) ?? 0) - 1))
    else if (o === NOTIFY || o === NOTIFY_ALL) this.notified.add(this.origin[e]!)
    else if (o === WAKE) return this.notified.has(this.served.get(this.origin[e]!) ?? NONE)
    return true
  }
}
