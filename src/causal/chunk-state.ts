/** The shared state of a program at a closed cut (chunk-cuts.ts): the value of every location, and which task holds which lock how many times. */
import { ACQUIRE, ACQUIRE_SHARED, RELEASE, RELEASE_SHARED, isRead, isWrite } from '../trace/ops.ts'
import { UNKNOWN, type Known } from '../symbolic/known.ts'
import type { Trace } from '../trace/trace.ts'
import { NOT_OBSERVED } from '../trace/values.ts'
import { ByTarget } from './by-target.ts'
import type { Cut, Cuts } from './chunk-cuts.ts'
import type { Sections } from './sections.ts'

export interface Hold {
  readonly task: number
  readonly lock: number
  readonly exclusive: boolean
  /** Locks can be taken several times over. */
  readonly depth: number
}

export class CutState {
  private readonly trace: Trace
  /** Writes by location, in recorded order; the writes of location x are from start[x] to start[x + 1]. */
  private readonly start: Int32Array
  private readonly writes: Int32Array
  /** Codes of the values that locations have before anybody writes, as far as a read saw them. */
  private readonly initial: Int32Array
  private readonly sections: Sections
  private readonly lockOps: readonly (readonly [acquires: ByTarget, releases: ByTarget])[]
  /** Up to where in the recorded order the cut that was set reaches. */
  private last = 0
  private cut: Cut

  constructor(
    private readonly cuts: Cuts,
    initial: readonly Known[] = [],
  ) {
    const { trace } = cuts
    this.trace = trace
    this.cut = cuts.first
    const { op, target } = trace
    const locations = trace.tables.locations.size
    this.start = new Int32Array(locations + 1)
    this.initial = new Int32Array(locations).fill(NOT_OBSERVED)
    for (let e = 0; e < op.length; e++) if (isWrite(op[e]!)) this.start[target[e]! + 1]!++
    for (let x = 0; x < locations; x++) this.start[x + 1]! += this.start[x]!
    this.writes = new Int32Array(this.start[locations]!)
    const fill = this.start.slice(0, locations)
    const order = trace.recordedOrder()
    for (let i = 0; i < order.length; i++) {
      const e = order[i]!
      const x = target[e]!
      if (isWrite(op[e]!)) this.writes[fill[x]!++] = e
      else if (isRead(op[e]!) && fill[x] === this.start[x] && this.initial[x] === NOT_OBSERVED) this.initial[x] = trace.value[e]!
    }
    initial.forEach((value, x) => {
      if (this.initial[x] === NOT_OBSERVED && value !== UNKNOWN) this.initial[x] = trace.tables.values.codeOf(value)
    })
    this.sections = cuts.sections
    const by = (wanted: number): ByTarget => new ByTarget(trace, trace.tables.locks.size, (o) => o === wanted)
    this.lockOps = [
      [by(ACQUIRE), by(RELEASE)],
      [by(ACQUIRE_SHARED), by(RELEASE_SHARED)],
    ]
  }

  /** All questions that follow are about this cut. */
  at(cut: Cut): void {
    this.cut = cut
    this.last = 0
    for (let t = 0; t < cut.length; t++) {
      if (cut[t] === 0) continue
      const rank = this.cuts.rank[this.trace.taskStart[t]! + cut[t]! - 1]!
      if (rank >= this.last) this.last = rank + 1
    }
  }

  isBefore(event: number): boolean {
    const t = this.cuts.taskOf(event)
    return event - this.trace.taskStart[t]! < this.cut[t]!
  }

  /** The code of the value: that of the last write before the cut, or the one the location starts with. NOT_OBSERVED where nobody knows. */
  valueOf(location: number): number {
    const { rank } = this.cuts
    const from = this.start[location]!
    let lo = from
    let hi = this.start[location + 1]!
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (rank[this.writes[mid]!]! < this.last) lo = mid + 1
      else hi = mid
    }
    for (let i = lo - 1; i >= from; i--) if (this.isBefore(this.writes[i]!)) return this.trace.value[this.writes[i]!]!
    return this.initial[location]!
  }

  /** What tasks hold at the cut. */
  holds(): Hold[] {
    const found: Hold[] = []
    for (let t = 0; t < this.cut.length; t++) {
      const end = this.trace.taskStart[t]! + this.cut[t]!
      for (const section of this.sections.openBefore(end, t)) {
        const lock = this.sections.lock[section]!
        const exclusive = this.sections.exclusive[section] === 1
        const [acquires, releases] = this.lockOps[exclusive ? 0 : 1]!
        const begin = this.sections.acquire[section]!
        const between = (by: ByTarget): number => by.countBelow(lock, end) - by.countBelow(lock, begin)
        found.push({ task: t, lock, exclusive, depth: between(acquires) - between(releases) })
      }
    }
    return found
  }
}
