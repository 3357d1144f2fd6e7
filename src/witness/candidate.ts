/** What is asked of the decider: see docs/model.md, "A candidate". */
import type { EventId } from '../trace/trace.ts'

export type Kind = 'data-race' | 'atomicity' | 'order-violation' | 'deadlock'

export const KINDS: readonly Kind[] = ['data-race', 'atomicity', 'order-violation', 'deadlock']

/** Which reads keep what they saw: see docs/model.md, "What a read must see". */
export type Model = 'sync' | 'data' | 'maximal'

export const MODELS: readonly Model[] = ['sync', 'data', 'maximal']

/** The demands on a reordering. */
export interface Demands {
  readonly next: readonly EventId[]
  readonly before: readonly (readonly [EventId, EventId])[]
  readonly include: readonly EventId[]
  readonly without: readonly EventId[]
}

export interface Candidate extends Demands {
  readonly kind: Kind
  /** The variant inside the kind: 'read-write', 'overdue', 'R-W-R', 'cycle' … */
  readonly pattern: string
  /** The events a report names, in the order that makes it a bug. */
  readonly events: readonly EventId[]
}

/** A feasible reordering: the events that run, in order. The candidate's `next` events come after them. */
export interface Witness {
  readonly order: Int32Array
}
