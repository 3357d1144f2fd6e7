/** Something that holds from a row on until the next one changes it: the turn, the chain, the step. */
import { GrowInt32 } from '../base/grow.ts'
import { NONE } from '../trace/trace.ts'

export class Spans {
  private readonly starts = new GrowInt32()
  private readonly numbers = new GrowInt32()
  private last = 0
  private isSorted = true

  /** Rows in growing order. */
  add(row: number, number: number): void {
    if (this.numbers.length > 0 && number < this.numbers.at(this.numbers.length - 1)) this.isSorted = false
    this.starts.push(row)
    this.numbers.push(number)
  }

  at(row: number): number {
    const i = this.spanOf(row)
    return i < 0 ? NONE : this.numbers.at(i)
  }

  ranges(end: number): Map<number, [number, number][]> {
    const ranges = new Map<number, [number, number][]>()
    for (let i = 0; i < this.starts.length; i++) {
      const range: [number, number] = [this.starts.at(i), i + 1 < this.starts.length ? this.starts.at(i + 1) : end]
      const list = ranges.get(this.numbers.at(i))
      if (list) list.push(range)
      else ranges.set(this.numbers.at(i), [range])
    }
    return ranges
  }

  /** Where the first span with this number or a larger one begins. */
  firstFrom(number: number, end: number): number {
    let lo = 0
    if (this.isSorted) {
      for (let hi = this.starts.length; lo < hi;) {
        const mid = (lo + hi) >>> 1
        if (this.numbers.at(mid) < number) lo = mid + 1
        else hi = mid
      }
    } else while (lo < this.starts.length && this.numbers.at(lo) < number) lo++
    return lo < this.starts.length ? this.starts.at(lo) : end
  }

  private spanOf(row: number): number {
    const { starts } = this
    // Most questions are about the span asked for last, or the one after it.
    for (let i = this.last; i < this.last + 2 && i < starts.length; i++) {
      if (starts.at(i) <= row && (i + 1 === starts.length || starts.at(i + 1) > row)) return (this.last = i)
    }
    let lo = -1
    let hi = starts.length
    while (hi - lo > 1) {
      const mid = (lo + hi) >>> 1
      if (starts.at(mid) <= row) lo = mid
      else hi = mid
    }
    if (lo >= 0) this.last = lo
    return lo
  }
}
