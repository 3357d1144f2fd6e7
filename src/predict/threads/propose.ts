/** Which questions are asked about threads that are replayed, and in which forms. */
import type { EventId } from '../../trace/trace.ts'
import { beginOf } from '../../trace/updates.ts'
import type { Causality } from '../../causal/causality.ts'
import type { Group, RuledOut } from '../propose/group.ts'
import type { Questioned } from '../settle.ts'

export interface ThreadProposal extends Questioned {
  /** One of waits.ts, tries.ts or arrivals.ts: what it means is said there, and not by `meaningless`. */
  readonly own?: boolean
  /** The demanded event ends a wait by its time-out. */
  readonly timesOut?: boolean
  /** The word for the step that the demanded event becomes. */
  readonly becomes?: string
  /** After the demanded event its thread goes on first: it may act on what it saw. */
  readonly goesOn?: boolean
  /** The release with which a wait begins that never ends. */
  readonly waits?: EventId
  /** What the thread will hear of in the place of the demanded event. */
  readonly instead?: EventId
  /** How many of those demanded next are run; the others stand, or wait. All where it is not said. */
  readonly runs?: number
  /** Who is demanded next and does not run goes on until right before that: what no other thread sees happens, too. */
  readonly close?: boolean
  /** The other threads stay where they are, if nothing needs them. */
  readonly alone?: boolean
}

export interface ThreadGroup extends Group {
  candidates(ruledOut: RuledOut): Iterable<ThreadProposal>
}

/**
 * What is asked for, in more than one way, that which breaks most first. A read before the write it relied on: with the other thread right before
 * that write, having read and decided all that leads to it; before the first or the last but one that this thread made there; or
 * with it wherever it may be. Everything: with the other threads as far as they were, or alone. `close`: also with what no other thread sees.
 */
export function variants({ trace, task, writes }: Causality, candidate: ThreadProposal, close: boolean): ThreadProposal[] {
  const alone = { ...candidate, alone: true }
  if (candidate.timesOut) return [alone, candidate]
  if (candidate.pattern !== 'overdue') return [candidate, alone]
  const [read, write] = [candidate.events[0]!, candidate.events[1]!]
  const { offer: _, ...rest } = candidate
  const rightBefore = (w: EventId): ThreadProposal => ({
    ...rest,
    events: [read, w],
    next: [read, beginOf(trace, w)],
    without: [w],
    runs: 1,
  })
  const location = trace.target[read]!
  const all = writes.of(location)
  const at = writes.countBelow(location, write)
  const first = writes.countBelow(location, trace.taskStart[task[write]!]!)
  const earlier = [...new Set([first, at - 1])].filter((i) => i >= first && i < at).map((i) => rightBefore(all[i]!))
  // The value is the same until the write: but what the other thread does in between may be what this one needs.
  const seen = at - 1
  const after: ThreadProposal[] =
    seen >= first && all[seen]! + 1 < beginOf(trace, write)
      ? [{ ...rest, next: [read, all[seen]! + 1], without: [write], include: [...rest.include, all[seen]!], runs: 1, alone: true }]
      : []
  const closest = close ? [{ ...rightBefore(write), close }] : []
  return [...closest, rightBefore(write), ...earlier, ...after, alone]
}
