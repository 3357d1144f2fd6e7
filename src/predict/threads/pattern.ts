/** Candidates among threads that are run again: their names, and how likely it is that the program fails by one. */
import { JOIN, UPDATE, isAtomic } from '../../trace/ops.ts'
import type { EventId } from '../../trace/trace.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import type { Vocabulary } from '../../trace/vocabulary.ts'
import type { Causality } from '../../causal/causality.ts'
import { Naming, type ThreadPattern } from '../naming.ts'
import type { Accesses } from '../propose/accesses.ts'
import { misuseOf } from './misuse.ts'
import type { ThreadProposal } from './propose.ts'
import type { EarlierValues } from './values.ts'

export type { ThreadPattern } from '../naming.ts'

export class Patterns extends Naming {
  constructor(
    causality: Causality,
    accesses: Accesses,
    private readonly values: EarlierValues,
    private readonly vocabulary: Vocabulary,
  ) {
    super(causality, accesses, (write) => values.isFirst(write))
  }

  override of(candidate: ThreadProposal): ThreadPattern {
    return candidate.kind === 'typestate' ? misuseOf(candidate) : super.of(candidate)
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
    // Who fails to get it was ready for that, mostly.
    if (pattern === 'try fails' || pattern === 'try succeeds') return 40
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
}
