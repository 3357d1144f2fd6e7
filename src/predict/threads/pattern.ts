/** What kind of mistake a candidate shows, in the words of reports, and how likely it is that the program fails by it. */
import { JOIN, UPDATE, isAtomic, isWrite } from '../../trace/ops.ts'
import type { EventId } from '../../trace/trace.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import type { Vocabulary } from '../../trace/vocabulary.ts'
import type { Causality } from '../../causal/causality.ts'
import type { Accesses } from '../propose/accesses.ts'
import { lowerBound } from '../../base/lower-bound.ts'
import { misuseOf } from './misuse.ts'
import type { ThreadProposal } from './propose.ts'
import type { EarlierValues } from './values.ts'

export type ThreadPattern =
  | 'data race'
  | 'lost update'
  | 'stale read'
  | 'dirty read'
  | 'check-then-act'
  | 'overwritten'
  | 'use before initialisation'
  | 'read order'
  | 'time-out'
  | 'message order'
  | 'wake-up order'
  | 'deadlock'
  | 'lost wake-up'
  /** The name of a property. */
  | (string & {})

const ATOMICITY: Readonly<Record<string, ThreadPattern>> = {
  'R-W-R': 'stale read',
  'R-W-W': 'lost update',
  'W-W-R': 'overwritten',
  'W-R-W': 'dirty read',
  'check-then-act': 'check-then-act',
}

export class Patterns {
  constructor(
    private readonly causality: Causality,
    private readonly accesses: Accesses,
    private readonly values: EarlierValues,
    private readonly vocabulary: Vocabulary,
  ) {}

  of(candidate: ThreadProposal): ThreadPattern {
    const { kind, pattern, events } = candidate
    if (kind === 'property') return pattern
    if (kind === 'typestate') return misuseOf(candidate)
    if (kind === 'data-race') return 'data race'
    if (kind === 'atomicity') return ATOMICITY[pattern] ?? 'stale read'
    if (kind === 'deadlock') return pattern === 'cycle' ? 'deadlock' : 'lost wake-up'
    if (pattern === 'premature') return 'read order'
    if (pattern !== 'overdue') return pattern as ThreadPattern
    const [read, write] = [events[0]!, events[1]!]
    if (this.thenWrites(read) && this.readsFirst(write) && !this.underOneLock(read, write)) return 'lost update'
    return this.values.isFirst(write) ? 'use before initialisation' : 'stale read'
  }

  /** The same with the order at hand: an update is lost only when the other one has read before. */
  in(candidate: ThreadProposal, order: Int32Array): ThreadPattern {
    const pattern = this.of(candidate)
    const [before] = this.around(candidate)
    if (before === undefined || order.includes(before)) return pattern
    return this.values.isFirst(candidate.events[1]!) ? 'use before initialisation' : 'stale read'
  }

  /**
   * Higher is more likely to fail. The weights are judgement, not measurement: a thread that goes on with a value that is gone, or waits for
   * ever, mostly shows it; a race in which the values are the same never does.
   */
  points(candidate: ThreadProposal): number {
    const { trace } = this.causality
    const { kind, pattern, events } = candidate
    const plain = events.some((e) => !isAtomic(trace.op[e]!)) ? 4 : 0
    // Somebody asked for it.
    if (kind === 'property') return 60
    if (kind === 'typestate') return 56
    if (kind === 'data-race') return 20
    if (kind === 'deadlock') return this.vocabulary.points.deadlock
    if (pattern === 'check-then-act') return trace.value[events[0]!] === trace.value[events[1]!] || this.spins(events[0]!) ? 5 : 30
    if (kind === 'atomicity') return (pattern === 'W-R-W' ? 36 : 46) + plain
    if (pattern === 'overdue') {
      const stale = this.values.before(events[1]!)
      const same = (stale !== NOT_OBSERVED && stale === trace.value[events[0]!]) || this.spins(events[0]!)
      return same
        ? 8
        : (this.of(candidate) === 'lost update' ? 50 : 44) + plain + (this.isPointer(events[0]!) ? this.vocabulary.points.pointer : 0)
    }
    if (pattern === 'premature') return trace.value[events[0]!] === trace.value[events[1]!] || this.spins(events[1]!) ? 6 : 34 + plain
    if (pattern === 'time-out') return 46
    if (pattern !== 'message order') return 32
    // That one worker ends before another matters less than which message comes first.
    return 36 - 10 * [candidate.instead!, candidate.next[0]!].filter((e) => trace.op[e] === JOIN).length
  }

  /** Is the read one of a loop that waits for another value? Who sees the old one goes round once more. */
  private spins(read: EventId): boolean {
    const { trace, task } = this.causality
    const again = (e: EventId): boolean =>
      task[e] === task[read] &&
      trace.op[e] === trace.op[read] &&
      trace.target[e] === trace.target[read] &&
      trace.site[e] === trace.site[read]
    return this.vocabulary.countsAll && trace.op[read + 1] !== UPDATE && (again(read - 1) || again(read + 1))
  }

  /** Does the read look like one of a pointer? What can be an address is written as one. */
  private isPointer(read: EventId): boolean {
    const { trace } = this.causality
    return trace.tables.values.textOf(trace.value[read]!).startsWith('#0x')
  }

  /** Of a lost update: what is read before the write, and written after the read. */
  around(candidate: ThreadProposal): EventId[] {
    if (candidate.pattern !== 'overdue' || this.of(candidate) !== 'lost update') return []
    return [this.neighbour(candidate.events[1]!, -1)!, this.neighbour(candidate.events[0]!, 1)!]
  }

  /** Is the next thing its thread does with the location of a read to write it? Not if both are one update. */
  private thenWrites(read: EventId): boolean {
    const { op } = this.causality.trace
    const next = this.neighbour(read, 1)
    return next !== undefined && isWrite(op[next]!) && !(op[next] === UPDATE && next === read + 1)
  }

  /** Is the last thing its thread did with the location of a write to read it? */
  private readsFirst(write: EventId): boolean {
    const { op } = this.causality.trace
    const last = this.neighbour(write, -1)
    return last !== undefined && op[write] !== UPDATE && !isWrite(op[last]!)
  }

  /** Then the whole sections change places. */
  private underOneLock(a: EventId, b: EventId): boolean {
    const { sections, task } = this.causality
    const held = sections.openBefore(a, task[a]!)
    return sections.openBefore(b, task[b]!).some((s) => held.some((h) => sections.conflict(s, h)))
  }

  private neighbour(e: EventId, by: number): EventId | undefined {
    const all = this.accesses.of(this.causality.trace.target[e]!)
    const other = all[lowerBound(all, e) + by]
    return other !== undefined && this.causality.task[other] === this.causality.task[e] ? other : undefined
  }
}
