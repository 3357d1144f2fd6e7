/**
 * Data races (seeds 003 and 004): two conflicting accesses of different tasks that can both be next at once. Proposes every pair that
 * neither must-order nor a common lock rules out.
 */
import { WRITE } from '../../trace/ops.ts'
import type { EventId, Trace } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Candidate } from '../../witness/candidate.ts'
import type { AccessLine, Accesses } from './accesses.ts'
import { noDemands, type Group } from './group.ts'

export interface RaceGroup extends Group {
  /** How many candidates there are, mostly without making them. */
  open(): number
}

export function* dataRaces(causality: Causality, must: MustOrder, accesses: Accesses): Iterable<RaceGroup> {
  for (const location of accesses.sharedLocations()) {
    const places = new Map<number, AccessLine[]>() // by op and site
    for (const line of accesses.lines(location)) {
      const place = line.site * 2 + (line.op === WRITE ? 1 : 0)
      const same = places.get(place)
      if (same) same.push(line)
      else places.set(place, [line])
    }
    const all = [...places.values()]
    for (let i = 0; i < all.length; i++) {
      for (let j = i; j < all.length; j++) {
        const [a, b] = [all[i]!, all[j]!]
        if (a[0]!.op !== WRITE && b[0]!.op !== WRITE) continue
        if (a.length === 1 && b.length === 1 && a[0]!.task === b[0]!.task) continue
        yield new Meetings(causality, must, accesses, location, a, b)
      }
    }
  }
}

/** All meetings of two places at one location: the lines of one against those of the other. */
class Meetings implements RaceGroup {
  readonly kind = 'data-race'
  readonly settled = { mustOrder: 0, locks: 0 }
  private key_: string | undefined

  constructor(
    private readonly causality: Causality,
    private readonly must: MustOrder,
    private readonly accesses: Accesses,
    private readonly location: number,
    private readonly a: readonly AccessLine[],
    private readonly b: readonly AccessLine[],
  ) {}

  get key(): string {
    if (this.key_ !== undefined) return this.key_
    const place = (line: AccessLine): string => `${line.op}@${line.site}`
    const sites = [place(this.a[0]!), place(this.b[0]!)].sort().join(' ')
    return (this.key_ = `data-race ${this.causality.trace.tables.locations.at(this.location)} ${sites}`)
  }

  *candidates(): Iterable<Candidate> {
    const { trace } = this.causality
    for (const { a, b, mixed } of this.meetings()) {
      const { from, to, open } = this.windows(a, b)
      this.settled.mustOrder += a.events.length * b.events.length - open
      for (let i = 0; i < from.length; i++) {
        for (let k = from[i]!; k < to[i]!; k++) {
          if (mixed && this.accesses.locksets.exclude(a.locksets[i]!, b.locksets[k]!)) this.settled.locks++
          else yield candidateOf(trace, a.events[i]!, b.events[k]!)
        }
      }
    }
  }

  open(): number {
    let count = 0
    for (const { a, b, mixed } of this.meetings()) {
      const { from, to, open } = this.windows(a, b)
      count += open
      if (!mixed) continue
      for (let i = 0; i < from.length; i++)
        for (let k = from[i]!; k < to[i]!; k++) if (this.accesses.locksets.exclude(a.locksets[i]!, b.locksets[k]!)) count--
    }
    return count
  }

  /** Pairs of lines of different tasks. Those that always hold a common lock are settled and left out. */
  private meetings(): Meeting[] {
    const out: Meeting[] = []
    this.settled.mustOrder = this.settled.locks = 0
    for (let i = 0; i < this.a.length; i++) {
      for (let j = this.a === this.b ? i + 1 : 0; j < this.b.length; j++) {
        if (this.a[i]!.task !== this.b[j]!.task) this.meet(this.a[i]!, this.b[j]!, out)
      }
    }
    return out
  }

  private meet(a: AccessLine, b: AccessLine, out: Meeting[]): void {
    // The shorter line is walked, the longer one searched.
    if (a.events.length > b.events.length) [a, b] = [b, a]
    const way = this.way(a, b)
    if (way === 'never') this.settled.locks += a.events.length * b.events.length
    else if (way === 'free') out.push({ a, b, mixed: false })
    else {
      // Now locked, now not: either by pairs, where must-order leaves few of them, or by lockset.
      const apart = b.kinds.length * a.events.length + a.kinds.length * b.events.length
      if (this.windows(a, b).open <= apart) out.push({ a, b, mixed: true })
      else for (const x of a.byLockset()) for (const y of b.byLockset()) this.meet(x, y, out)
    }
  }

  /** Do the locks let the lines meet? */
  private way(a: AccessLine, b: AccessLine): 'never' | 'free' | 'mixed' {
    const { locksets } = this.accesses
    const first = locksets.exclude(a.kinds[0]!, b.kinds[0]!)
    // Where there are many kinds, looking at all of them would cost more than the windows.
    if (a.kinds.length * b.kinds.length > a.events.length + b.events.length) return 'mixed'
    for (const x of a.kinds) for (const y of b.kinds) if (locksets.exclude(x, y) !== first) return 'mixed'
    return first ? 'never' : 'free'
  }

  /** For each event of `a`, which of `b` must-order leaves free: both ends only move on, so each is found from the last. */
  private windows(a: AccessLine, b: AccessLine): { from: Int32Array; to: Int32Array; open: number } {
    const { must } = this
    const { taskStart } = this.causality.trace
    const count = a.events.length
    const from = new Int32Array(count)
    const to = new Int32Array(count)
    const rowsA = a.rows(must)
    const rowsB = b.rows(must)
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
}

interface Meeting {
  readonly a: AccessLine
  readonly b: AccessLine
  /** Some pairs hold a common lock. */
  readonly mixed: boolean
}

function candidateOf(trace: Trace, a: EventId, b: EventId): Candidate {
  const events = trace.stamp[a]! <= trace.stamp[b]! ? [a, b] : [b, a]
  const writes = events.map((e) => trace.op[e] === WRITE)
  const pattern = writes[0] ? (writes[1] ? 'write-write' : 'write-read') : 'read-write'
  return { ...noDemands, kind: 'data-race', pattern, events, next: events }
}
