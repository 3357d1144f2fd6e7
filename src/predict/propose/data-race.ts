/**
 * Data races (seeds 003 and 004): two conflicting accesses of different tasks, not both atomic, that can both be next at once. Proposes every
 * pair that neither must-order nor a common lock rules out. An update is one access, a write, and stands next where it begins, at its read half.
 */
import { ATOMIC_READ, OPS, isAtomic, isWrite } from '../../trace/ops.ts'
import type { EventId, Trace } from '../../trace/trace.ts'
import { beginOf, isReadHalf } from '../../trace/updates.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Candidate } from '../../witness/candidate.ts'
import type { AccessLine, Accesses } from './accesses.ts'
import { noDemands, noneRuledOut, proposal, type Group, type RuledOut } from './group.ts'
import { freeWindows, type Side, type Windows } from './windows.ts'

export type RaceGroup = Group & Required<Pick<Group, 'open'>>

/**
 * Where nearly every access has a site of its own there are as many pairs of lines as pairs of accesses, and to look at each of them would be
 * quadratic. So beyond this many per access (and some) causes are made from the pairs that must-order leaves open, if those are not too
 * many; what it rules out is counted, but gives no cause.
 */
const ORDINARY = 500
const MANY_LINES = 4
const MOST_OPEN = 2_000_000

export function* dataRaces(causality: Causality, must: MustOrder, accesses: Accesses): Iterable<RaceGroup> {
  for (const location of accesses.sharedLocations()) {
    const places = new Map<number, AccessLine[]>() // by op and site
    const lines = accesses.lines(location)
    if (lines.length ** 2 > ORDINARY + MANY_LINES * accesses.of(location).length) {
      const found = scattered(causality, must, accesses, location)
      if (found) {
        yield* found
        continue
      }
    }
    for (const line of lines) {
      const place = line.site * OPS.length + line.op
      const same = places.get(place)
      if (same) same.push(line)
      else places.set(place, [line])
    }
    const all = [...places.values()]
    for (let i = 0; i < all.length; i++) {
      for (let j = i; j < all.length; j++) {
        const [a, b] = [all[i]!, all[j]!]
        if (!canConflict(a[0]!.op, b[0]!.op)) continue
        if (a.length === 1 && b.length === 1 && a[0]!.task === b[0]!.task) continue
        yield new Meetings(causality, must, accesses, location, a, b)
      }
    }
  }
}

/** The groups of a location from its open pairs, or undefined when there are too many of those. */
function scattered(causality: Causality, must: MustOrder, accesses: Accesses, location: number): RaceGroup[] | undefined {
  const { trace, task } = causality
  const { op, site } = trace
  const name = trace.tables.locations.at(location)
  const { events, locksets } = accesses.meetable(location)
  const begins = accesses.begins(events)
  const rows = must.rowsOf(begins)
  const sides: (Side & { accesses: Int32Array; locksets: Int32Array; counts: Counts })[] = []
  for (let from = 0; from < events.length;) {
    let to = from
    const counts: Counts = { reads: 0, atomics: 0, atomicReads: 0 }
    for (; to < events.length && task[events[to]!] === task[events[from]!]; to++) {
      const o = op[events[to]!]!
      if (!isWrite(o)) counts.reads++
      if (isAtomic(o)) counts.atomics++
      if (o === ATOMIC_READ) counts.atomicReads++
    }
    const part = (list: Int32Array): Int32Array => list.subarray(from, to)
    const [first, own] = [part(begins), part(events)]
    sides.push({ task: task[events[from]!]!, events: first, rows: part(rows), accesses: own, locksets: part(locksets), counts })
    from = to
  }
  const settled = noneRuledOut()
  const causes = new Map<string, EventId[]>() // pairs of events, flat
  let total = 0
  for (let i = 0; i < sides.length; i++) {
    for (let j = i + 1; j < sides.length; j++) {
      const [a, b] = [sides[i]!, sides[j]!]
      const { from, to, open } = freeWindows(trace, must, a, b)
      if ((total += open) > MOST_OPEN) return undefined
      let conflicting = 0
      for (let k = 0; k < from.length; k++) {
        const x = a.accesses[k]!
        for (let l = from[k]!; l < to[k]!; l++) {
          const y = b.accesses[l]!
          if (!canConflict(op[x]!, op[y]!)) continue
          conflicting++
          if (accesses.locksets.exclude(a.locksets[k]!, b.locksets[l]!)) {
            settled.locks++
            continue
          }
          const places = [`${op[x]}@${site[x]}`, `${op[y]}@${site[y]}`]
          const cause = (places[0]! <= places[1]! ? places : places.reverse()).join(' ')
          const same = causes.get(cause)
          if (same) same.push(x, y)
          else causes.set(cause, [x, y])
        }
      }
      settled.mustOrder += a.events.length * b.events.length - harmless(a.counts, b.counts) - conflicting
    }
  }
  const group = (key: string, pairs: readonly EventId[], counts: RuledOut): RaceGroup => ({
    kind: 'data-race',
    key: `data-race ${name} ${key}`,
    through: location / trace.tables.locations.size,
    open: (ruledOut) => ({ open: pairs.length / 2, ruledOut: add(ruledOut, counts) }),
    *candidates(ruledOut) {
      add(ruledOut, counts)
      for (let k = 0; k < pairs.length; k += 2) yield candidateOf(trace, pairs[k]!, pairs[k + 1]!)
    },
  })
  return [group('settled', [], settled), ...Array.from(causes, ([key, pairs]) => group(key, pairs, noneRuledOut()))]
}

function add(to: RuledOut, more: RuledOut): RuledOut {
  to.mustOrder += more.mustOrder
  to.locks += more.locks
  return to
}

/** All meetings of two places at one location: the lines of one against those of the other. */
class Meetings implements RaceGroup {
  readonly kind = 'data-race'
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

  get through(): number {
    return this.location / this.causality.trace.tables.locations.size
  }

  *candidates(ruledOut: RuledOut): Iterable<Candidate> {
    const { trace } = this.causality
    for (const { a, b, mixed } of this.meetings(ruledOut)) {
      const { from, to, open } = this.windows(a, b)
      ruledOut.mustOrder += a.events.length * b.events.length - open
      for (let i = 0; i < from.length; i++) {
        for (let k = from[i]!; k < to[i]!; k++) {
          if (mixed && this.accesses.locksets.exclude(a.locksets[i]!, b.locksets[k]!)) ruledOut.locks++
          else yield candidateOf(trace, accessAt(trace, a.events[i]!), accessAt(trace, b.events[k]!))
        }
      }
    }
  }

  open(ruledOut: RuledOut): { open: number; ruledOut: RuledOut } {
    let count = 0
    for (const { a, b, mixed } of this.meetings(ruledOut)) {
      const { from, to, open } = this.windows(a, b)
      ruledOut.mustOrder += a.events.length * b.events.length - open
      count += open
      if (!mixed) continue
      for (let i = 0; i < from.length; i++)
        for (let k = from[i]!; k < to[i]!; k++) {
          if (!this.accesses.locksets.exclude(a.locksets[i]!, b.locksets[k]!)) continue
          ruledOut.locks++
          count--
        }
    }
    return { open: count, ruledOut }
  }

  /** Pairs of lines of different tasks. Those that always hold a common lock are settled and left out. */
  private meetings(ruledOut: RuledOut): Meeting[] {
    const out: Meeting[] = []
    for (let i = 0; i < this.a.length; i++) {
      for (let j = this.a === this.b ? i + 1 : 0; j < this.b.length; j++) {
        if (this.a[i]!.task !== this.b[j]!.task) this.meet(this.a[i]!, this.b[j]!, out, ruledOut)
      }
    }
    return out
  }

  private meet(a: AccessLine, b: AccessLine, out: Meeting[], ruledOut: RuledOut): void {
    // The shorter line is walked, the longer one searched.
    if (a.events.length > b.events.length) [a, b] = [b, a]
    const way = this.way(a, b)
    if (way === 'never') ruledOut.locks += a.events.length * b.events.length
    else if (way === 'free') out.push({ a, b, mixed: false })
    else {
      // Now locked, now not: either by pairs, where must-order leaves few of them, or by lockset.
      const apart = b.kinds.length * a.events.length + a.kinds.length * b.events.length
      if (this.windows(a, b).open <= apart) out.push({ a, b, mixed: true })
      else for (const x of a.byLockset()) for (const y of b.byLockset()) this.meet(x, y, out, ruledOut)
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

  private windows(a: AccessLine, b: AccessLine): Windows {
    const side = (line: AccessLine): Side => ({ task: line.task, events: line.events, rows: line.rows(this.must) })
    return freeWindows(this.causality.trace, this.must, side(a), side(b))
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
  const writes = events.map((e) => isWrite(trace.op[e]!))
  const pattern = writes[0] ? (writes[1] ? 'write-write' : 'write-read') : 'read-write'
  return proposal('data-race', pattern, events, { ...noDemands, next: events.map((e) => beginOf(trace, e)) })
}

/** One of them writes, and they are not both atomic. */
const canConflict = (a: number, b: number): boolean => (isWrite(a) || isWrite(b)) && !(isAtomic(a) && isAtomic(b))

interface Counts {
  reads: number
  atomics: number
  atomicReads: number
}

/** How many pairs cannot conflict: both read, or both are atomic. */
const harmless = (a: Counts, b: Counts): number => a.reads * b.reads + a.atomics * b.atomics - a.atomicReads * b.atomicReads

/** The access that begins at an event of a line. */
const accessAt = (trace: Trace, begin: EventId): EventId => (isReadHalf(trace, begin) ? begin + 1 : begin)
