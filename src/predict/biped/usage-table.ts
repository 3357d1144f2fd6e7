/**
 * The expected-order usage table (EUT) of BIPED: Definition 1 and Figure 3c of "Biped: Bidirectional Prediction of Order Violations".
 * One row per read that has a neighbouring write of another task: the last write of its location before it (Predef) and the first one
 * after it (Redef), each NONE where there is none or where it belongs to the reading task.
 *
 * Two passes over the recorded order, one per direction; nothing is kept but the three columns.
 *
 * Where we differ: the text of Definition 1 says "last/first write event before the read"; the first one is meant to come after it, as in
 * section 1 and in Figure 3c.
 */
import { isRead, isWrite } from '../../trace/ops.ts'
import { NONE, type Trace } from '../../trace/trace.ts'

export interface UsageTable {
  /** The reads, in recorded order. */
  readonly use: Int32Array
  /** Per row: the write the read relies on, or NONE. */
  readonly predef: Int32Array
  /** Per row: the write that should come after the read, or NONE. */
  readonly redef: Int32Array
}

export function usageTable(trace: Trace): UsageTable {
  const order = trace.recordedOrder()
  const { op, target, taskStart } = trace
  const neighbour = new Int32Array(trace.tables.locations.size)
  const isRemote = (read: number, write: number): boolean => {
    if (write === NONE) return false
    const t = trace.taskOf(read)
    return write < taskStart[t]! || write >= taskStart[t + 1]!
  }
  const { isShared, reads } = sharedReads(trace)
  const use = new Int32Array(reads)
  const predef = new Int32Array(reads)
  const redef = new Int32Array(reads)

  neighbour.fill(NONE)
  let row = 0
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const x = target[e]!
    if (isWrite(op[e]!)) neighbour[x] = e
    else if (isRead(op[e]!) && isShared[x] === 1) {
      use[row] = e
      predef[row++] = isRemote(e, neighbour[x]!) ? neighbour[x]! : NONE
    }
  }
  neighbour.fill(NONE)
  for (let i = order.length - 1; i >= 0; i--) {
    const e = order[i]!
    const x = target[e]!
    if (isWrite(op[e]!)) neighbour[x] = e
    else if (isRead(op[e]!) && isShared[x] === 1) redef[--row] = isRemote(e, neighbour[x]!) ? neighbour[x]! : NONE
  }

  let kept = 0
  for (let i = 0; i < reads; i++) {
    if (predef[i] === NONE && redef[i] === NONE) continue
    use[kept] = use[i]!
    predef[kept] = predef[i]!
    redef[kept++] = redef[i]!
  }
  return { use: use.slice(0, kept), predef: predef.slice(0, kept), redef: redef.slice(0, kept) }
}

/** Locations that one task reads and another writes, and how many reads of them there are: most locations of a run belong to one task. */
function sharedReads(trace: Trace): { isShared: Uint8Array; reads: number } {
  const { op, target, taskStart } = trace
  const locations = trace.tables.locations.size
  const user = new Int32Array(locations).fill(NONE)
  const several = new Uint8Array(locations)
  const written = new Uint8Array(locations)
  const count = new Int32Array(locations)
  for (let t = 0; t < trace.taskCount; t++) {
    for (let e = taskStart[t]!; e < taskStart[t + 1]!; e++) {
      const writes = isWrite(op[e]!)
      if (!writes && !isRead(op[e]!)) continue
      const x = target[e]!
      if (user[x] === NONE) user[x] = t
      else if (user[x] !== t) several[x] = 1
      if (writes) written[x] = 1
      else count[x]!++
    }
  }
  let reads = 0
  const isShared = several.map((many, x) => many & written[x]!)
  for (let x = 0; x < locations; x++) if (isShared[x] === 1) reads += count[x]!
  return { isShared, reads }
}
