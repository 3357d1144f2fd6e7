/**
 * What a predictor proposes: candidates of one cause together (same kind, sites and location), so that one feasible one can stand for all.
 * Candidates are made one at a time, because a busy location has more pairs than anyone wants to hold.
 */
import type { Candidate, Kind } from '../../witness/candidate.ts'
import type { Interval } from '../biped/index.ts'

export interface Proposal extends Candidate {
  /** An order the predictor found by itself. It counts only if the checker accepts it. */
  readonly offer?: () => Int32Array | undefined
  /** What the outer accesses of an atomicity violation belong to: 'function f', 'the section of lock l'. */
  readonly region?: string
  /** The interval of the recorded run it came from, for order violations. */
  readonly interval?: Interval
}

export interface Group {
  readonly kind: Kind
  /** What makes the cause: unique among all groups of a run. */
  readonly key: string
  /** Pairs that could not be, seen while proposing. */
  readonly settled: { mustOrder: number; locks: number }
  candidates(): Iterable<Proposal>
}

export const noDemands = { next: [], before: [], include: [], without: [] } as const
