/** Events of some ops, listed per target in event order: one flat array and where each target's part starts. */
import type { EventId, Trace } from '../trace/trace.ts'

export class ByTarget {
  readonly start: Int32Array
  readonly events: Int32Array

  constructor(trace: Trace, targets: number, wanted: (op: number) => boolean) {
    const { op, target } = trace
    const n = targets === 0 ? 0 : op.length
    const isWanted = new Uint8Array(256)
    for (let o = 0; o < 256; o++) isWanted[o] = wanted(o) ? 1 : 0
    const start = new Int32Array(targets + 1)
    for (let e = 0; e < n; e++) if (isWanted[op[e]!]) start[target[e]! + 1]!++
    for (let i = 0; i < targets; i++) start[i + 1]! += start[i]!
    const events = new Int32Array(start[targets]!)
    const fill = start.slice(0, targets)
    for (let e = 0; e < n; e++) if (isWanted[op[e]!]) events[fill[target[e]!]!++] = e
    this.start = start
    this.events = events
  }

  of(target: number): Int32Array {
    return this.events.subarray(this.start[target], this.start[target + 1])
  }

  /** How many of the target's events have a number below `event`. */
  countBelow(target: number, event: EventId): number {
    const from = this.start[target]!
    let lo = from
    let hi = this.start[target + 1]!
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.events[mid]! < event) lo = mid + 1
      else hi = mid
    }
    return lo - from
  }
}
