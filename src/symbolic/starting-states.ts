/** Values in the recorded run: which write an input saw, and the value of a location before a row. */
import { GrowInt32 } from '../base/grow.ts'
import { isRead, isWrite } from '../trace/ops.ts'
import { NONE } from '../trace/trace.ts'
import { same, UNKNOWN, type Known } from './known.ts'
import type { Paths } from './paths.ts'

export class StartingStates {
  /** Rows that write, location by location in order: those of location x begin at `first[x]`. */
  private readonly writes: Int32Array
  private readonly first: Int32Array
  /** What the first input saw that no write came before; by location. */
  private readonly initial: Known[]
  private readonly writer: Int32Array
  private readonly disturbed: Uint8Array

  constructor(private readonly paths: Paths) {
    const { trace } = paths
    const { op, target } = trace
    const locations = trace.tables.locations.size
    this.first = new Int32Array(locations + 1)
    this.writer = new Int32Array(op.length).fill(NONE)
    this.initial = Array.from({ length: locations }, () => UNKNOWN)
    this.disturbed = new Uint8Array(locations)
    const last = new Int32Array(locations).fill(NONE)
    const writes = new GrowInt32()
    for (let row = 0; row < op.length; row++) {
      const location = target[row]!
      if (isWrite(op[row]!)) {
        last[location] = row
        this.first[location + 1]!++
        writes.push(row)
      } else if (isRead(op[row]!)) this.see(row, location, last[location]!)
    }
    for (let x = 0; x < locations; x++) this.first[x + 1]! += this.first[x]!
    this.writes = new Int32Array(writes.length)
    const next = this.first.slice()
    for (const row of writes.view()) this.writes[next[target[row]!]!++] = row
  }

  /** The write that an input saw. NONE: what was there before any. */
  writerOf(input: number): number {
    return this.writer[input]!
  }

  /** The last write to the location before this row, or NONE. */
  writerAt(location: number, before: number): number {
    let lo = this.first[location]! - 1
    let hi = this.first[location + 1]!
    while (hi - lo > 1) {
      const mid = (lo + hi) >>> 1
      if (this.writes[mid]! < before) lo = mid
      else hi = mid
    }
    return lo < this.first[location]! ? NONE : this.writes[lo]!
  }

  /** What a write left there; for NONE, what was there before any. */
  valueOf(location: number, writer: number): Known {
    return writer === NONE ? this.initial[location]! : this.paths.valueOf(writer)
  }

  /** Somebody whose writes are not recorded writes there, too. */
  isDisturbed(location: number): boolean {
    return this.disturbed[location] === 1
  }

  private see(row: number, location: number, writer: number): void {
    this.writer[row] = writer
    const value = this.paths.valueOf(row)
    if (value === UNKNOWN) return
    const before = this.valueOf(location, writer)
    if (before === UNKNOWN) {
      if (writer === NONE) this.initial[location] = value
    } else if (!same(before, value)) this.disturbed[location] = 1
  }
}
