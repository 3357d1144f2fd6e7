/** The question to the decider: see docs/model.md, "A candidate". */
import type { EventId } from '../trace/trace.ts'

export type Kind = 'data-race' | 'atomicity' | 'order-violation' | 'deadlock' | 'property' | 'typestate'

/** What is looked for unless said; the last two only where properties are given. */
export const KINDS: readonly Kind[] = ['data-race', 'atomicity', 'order-violation', 'deadlock', 'property', 'typestate']

/** The demands on a reordering. */
export interface Demands {
  readonly next: readonly EventId[]
  readonly before: readonly (readonly [EventId, EventId])[]
  readonly include: readonly EventId[]
  readonly without: readonly EventId[]
  /** Of each clause one pair must hold. */
  readonly either: readonly Clause[]
}

/**
 * A pair (a, b) holds when a runs, and b comes after it or does not run. Where a is one of `next`, or NONE, it holds when b does not run: nothing comes
 * after what is next but what is not looked at.
 */
export type Clause = readonly (readonly [EventId, EventId])[]

/** What a property asks of an order: events, which comes before which (by their places in `events`), and what may not stand between two of them. */
export interface Match {
  readonly events: readonly EventId[]
  readonly before: readonly (readonly [number, number])[]
  /** NONE: the begin of the run, or its end. */
  readonly guards: readonly { readonly events: readonly EventId[]; readonly after: number; readonly before: number }[]
  /** Two of `events` that could both come next. */
  readonly parallel: readonly [number, number] | undefined
}

export interface Candidate extends Demands {
  readonly kind: Kind
  /** Properties and typestates: what makes it a violation. */
  readonly match?: Match
  /** The variant inside the kind: 'read-write', 'overdue', 'R-W-R', 'cycle' … */
  readonly pattern: string
  /** The events a report names, in the order that makes it a bug. */
  readonly events: readonly EventId[]
}

/** A feasible reordering: the events that run, in order. The candidate's `next` events come after them. */
export interface Witness {
  readonly order: Int32Array
}
