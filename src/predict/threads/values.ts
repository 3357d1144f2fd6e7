/** What reads would see without a certain write. */
import { isRead, isWrite } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'

/** Per location: the write that came first in the recorded run, or NONE. */
export function firstWrites(trace: Trace): Int32Array {
  const { op, target } = trace
  const first = new Int32Array(trace.tables.locations.size).fill(NONE)
  const order = trace.recordedOrder()
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    if (first[target[e]!] === NONE && isWrite(op[e]!)) first[target[e]!] = e
  }
  return first
}

export class EarlierValues {
  /** Per write: the write to the same location before it in the recorded run, NONE for the first. */
  private readonly previous: Int32Array
  /** Per location: the value it starts with, where a read saw it. */
  private readonly initial: Int32Array

  constructor(private readonly trace: Trace) {
    const locations = trace.tables.locations.size
    this.previous = new Int32Array(trace.eventCount).fill(NONE)
    this.initial = new Int32Array(locations).fill(NOT_OBSERVED)
    const last = new Int32Array(locations).fill(NONE)
    for (const e of trace.recordedOrder()) {
      const x = trace.target[e]!
      if (isWrite(trace.op[e]!)) {
        this.previous[e] = last[x]!
        last[x] = e
      } else if (isRead(trace.op[e]!) && last[x] === NONE && this.initial[x] === NOT_OBSERVED) this.initial[x] = trace.value[e]!
    }
  }

  /** The value there was before the write, as a code; NOT_OBSERVED when it is not known. */
  before(write: EventId): number {
    const previous = this.previous[write]!
    return previous === NONE ? this.initial[this.trace.target[write]!]! : this.trace.value[previous]!
  }

  /** Is it the first write of its location? */
  isFirst(write: EventId): boolean {
    return this.previous[write] === NONE
  }

  /** The value of a location after an order has run. */
  after(order: Int32Array, location: number): number {
    for (let i = order.length - 1; i >= 0; i--)
      if (this.trace.target[order[i]!] === location && isWrite(this.trace.op[order[i]!]!)) return this.trace.value[order[i]!]!
    return this.initial[location]!
  }
}
