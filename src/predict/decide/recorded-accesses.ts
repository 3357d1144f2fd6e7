/** The accesses of each location in the recorded run: the last write before a position, and the reads that saw a write. */
import { isAccess, isRead } from '../../trace/ops.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'

export class RecordedAccesses {
  private readonly start: Int32Array
  /** The places that the accesses have in the recorded run: looking one up then stays within this column. */
  private readonly places: Int32Array
  private readonly order: Int32Array

  /** `left`: 1 for locations that are left out. */
  constructor(
    private readonly causality: Causality,
    left: Uint8Array,
  ) {
    const { op, target, tables } = causality.trace
    const locations = tables.locations.size
    this.start = new Int32Array(locations + 1)
    for (let e = 0; e < op.length; e++) if (isAccess(op[e]!) && left[target[e]!] === 0) this.start[target[e]! + 1]!++
    for (let x = 0; x < locations; x++) this.start[x + 1]! += this.start[x]!
    this.places = new Int32Array(this.start[locations]!)
    const fill = this.start.slice(0, locations)
    const order = (this.order = causality.trace.recordedOrder())
    for (let i = 0; i < order.length; i++) {
      const e = order[i]!
      if (isAccess(op[e]!) && left[target[e]!] === 0) this.places[fill[target[e]!]!++] = i
    }
  }

  /** The last write to the location among the first `rank` recorded events, or NONE. */
  writeBefore(location: number, rank: number): EventId {
    const at = this.firstFrom(location, rank) - 1
    if (at < this.start[location]!) return NONE
    const e = this.order[this.places[at]!]!
    return isRead(this.causality.trace.op[e]!) ? this.causality.writer[e]! : e
  }

  /** The reads that saw the write (NONE: the initial value), from one place of the recorded run up to another. */
  eachReadOf(location: number, write: EventId, from: number, to: number, visit: (read: EventId) => void): void {
    const { rank, trace, writer } = this.causality
    const first = write === NONE ? from : Math.max(from, rank[write]! + 1)
    for (let i = this.firstFrom(location, first); i < this.start[location + 1]!; i++) {
      const place = this.places[i]!
      if (place > to) return
      const e = this.order[place]!
      if (!isRead(trace.op[e]!) || writer[e] !== write) return
      visit(e)
    }
  }

  private firstFrom(location: number, rank: number): number {
    const { places } = this
    let lo = this.start[location]!
    let hi = this.start[location + 1]!
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (places[mid]! < rank) lo = mid + 1
      else hi = mid
    }
    return lo
  }
}
