/** The kind of mistake that a candidate among threads shows, in the words of reports: the same for a trace alone and for a program that is replayed. */
import type { Causality } from '../causal/causality.ts'
import { UPDATE, isWrite } from '../trace/ops.ts'
import type { EventId } from '../trace/trace.ts'
import { isReadHalf } from '../trace/updates.ts'
import { lowerBound } from '../base/lower-bound.ts'
import type { Accesses } from './propose/accesses.ts'
import type { Proposal } from './propose/group.ts'

export type ThreadPattern =
  | 'data race'
  | 'lost update'
  | 'stale read'
  | 'dirty read'
  | 'check-then-act'
  | 'overwritten'
  | 'use before initialisation'
  | 'read order'
  | 'write order'
  | 'time-out'
  | 'try succeeds'
  | 'try fails'
  | 'woken in time'
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

/** Who acts on what he has read is broken into, also where a mere order shows it: the kind is that of the mistake, whatever predictor it came from. */
export const kindOf = <K extends string>(kind: K, pattern: ThreadPattern): K | 'atomicity' =>
  kind === 'order-violation' && (pattern === 'lost update' || pattern === 'check-then-act') ? 'atomicity' : kind

/** Reads of one location between the read and the write that relies on it. */
const MOST_READS = 4

type Named = Pick<Proposal, 'kind' | 'pattern' | 'events'>

export class Naming {
  constructor(
    protected readonly causality: Causality,
    protected readonly accesses: Accesses,
    /** Is it the first write of its location? */
    private readonly isFirst: (write: EventId) => boolean,
  ) {}

  of(candidate: Named): ThreadPattern {
    const { kind, pattern, events } = candidate
    if (kind === 'property' || kind === 'typestate') return pattern
    if (kind === 'data-race') return 'data race'
    if (kind === 'atomicity') return ATOMICITY[pattern] ?? 'stale read'
    if (kind === 'deadlock') return pattern === 'cycle' ? 'deadlock' : 'lost wake-up'
    if (pattern === 'premature') return 'read order'
    if (pattern !== 'overdue') return pattern as ThreadPattern
    const [read, write] = [events[0]!, events[1]!]
    const then = this.writeAfter(read)
    const rely = then !== undefined && !this.sectionsApart(read, then, write)
    if (rely && this.readBefore(write) !== undefined) return 'lost update'
    if (rely && this.lookBefore(write) !== undefined && this.causality.trace.op[then] === UPDATE) return 'check-then-act'
    return this.tooEarly(write)
  }

  /** The same with what runs at hand: an update is lost only when the other one has read before. */
  in(candidate: Named, runs: (event: EventId) => boolean): ThreadPattern {
    const pattern = this.of(candidate)
    const [before] = this.around(candidate)
    return before === undefined || runs(before) ? pattern : this.tooEarly(candidate.events[1]!)
  }

  /** Of a lost update, and of a check that an update relies on: what is read before the write, and written after the read. */
  around(candidate: Named): EventId[] {
    const pattern = candidate.pattern === 'overdue' ? this.of(candidate) : ''
    if (pattern !== 'lost update' && pattern !== 'check-then-act') return []
    const [read, write] = [candidate.events[0]!, candidate.events[1]!]
    return [(pattern === 'lost update' ? this.readBefore(write) : this.lookBefore(write))!, this.writeAfter(read)!]
  }

  /** Who reads before the write sees what was there before. A thread that reads a location and then writes it changes it: it does not set it up. */
  private tooEarly(write: EventId): ThreadPattern {
    const changes = this.causality.trace.op[write] === UPDATE || this.readBefore(write) !== undefined
    return this.isFirst(write) && !changes ? 'use before initialisation' : 'stale read'
  }

  /** The write with which its thread goes on after a read of the location, with nothing but reads of it between. Not if both are one update. */
  private writeAfter(read: EventId): EventId | undefined {
    const { op } = this.causality.trace
    let next = this.neighbour(read, 1)
    for (let i = 0; next !== undefined && !isWrite(op[next]!) && i < MOST_READS; i++) next = this.neighbour(next, 1)
    if (next === undefined || !isWrite(op[next]!)) return undefined
    return op[next] === UPDATE && next === read + 1 ? undefined : next
  }

  /** The read that its thread did of the location last before a write of it. */
  private readBefore(write: EventId): EventId | undefined {
    const { op } = this.causality.trace
    const last = this.neighbour(write, -1)
    return last !== undefined && op[write] !== UPDATE && !isWrite(op[last]!) ? last : undefined
  }

  /** The look at the location that its thread did last before an update of it, which is a step of its own: `get` before `put`. */
  private lookBefore(write: EventId): EventId | undefined {
    const { trace } = this.causality
    const last = trace.op[write] === UPDATE ? this.neighbour(write, -2) : undefined
    return last !== undefined && !isWrite(trace.op[last]!) && !isReadHalf(trace, last) ? last : undefined
  }

  /** Is an update that begins with the read one section of a lock under which the write is, too? Then the two cannot mix. One that gives the lock back in between can. */
  private sectionsApart(read: EventId, then: EventId, write: EventId): boolean {
    const { sections, task } = this.causality
    const atEnd = sections.openBefore(then, task[read]!)
    const held = sections.openBefore(read, task[read]!).filter((s) => atEnd.includes(s))
    return sections.openBefore(write, task[write]!).some((s) => held.some((h) => sections.conflict(s, h)))
  }

  private neighbour(e: EventId, by: number): EventId | undefined {
    const all = this.accesses.of(this.causality.trace.target[e]!)
    const other = all[lowerBound(all, e) + by]
    return other !== undefined && this.causality.task[other] === this.causality.task[e] ? other : undefined
  }
}
