/**
 * The candidates of one cause together (same kind, sites and location), so that one feasible candidate can stand for all. Candidates are made one at
 * a time, because a busy location has too many pairs to store.
 */
import type { Candidate, Demands, Kind } from '../../witness/candidate.ts'
import type { Difference } from '../../witness/difference.ts'
import type { Interval } from '../biped/index.ts'
import type { Asked } from './asked.ts'

export interface Proposal extends Candidate {
  /** An order the predictor found by itself. It counts only if the checker accepts it. */
  readonly offer?: (() => Difference | undefined) | undefined
  /** What the outer accesses of an atomicity violation belong to: 'function f', 'the section of lock l'. */
  readonly region?: string | undefined
  /** Properties and typestates: which one, and of what. */
  readonly property?: Asked
  /** A weaker question, asked if this one has no order that shows it. */
  readonly otherwise?: Demands | undefined
  /** Does the run that is looked at (the witness, then what comes next) show the violation? Asked last, of a monitor that knows nothing of candidates. */
  readonly shows?: (run: Int32Array) => boolean
  /** The interval of the recorded run it came from, for order violations. */
  readonly interval?: (() => Interval | undefined) | undefined
}

/** Pairs that cannot be, by what rules them out: counted while candidates are made. */
export interface RuledOut {
  mustOrder: number
  locks: number
}

export const noneRuledOut = (): RuledOut => ({ mustOrder: 0, locks: 0 })

export interface Group {
  readonly kind: Kind
  /** What makes the cause: unique among all groups of a run. */
  readonly key: string
  /** How far its predictor is when it has come to this cause, from 0 to 1: for estimates. */
  readonly through?: number
  /** May be asked for more than once: each time `ruledOut` is told what was passed over. */
  candidates(ruledOut: RuledOut): Iterable<Proposal>
  /** How many candidates there are (`atLeast`: so many were counted), and what was passed over, without making them; left out where that is not cheaper. */
  open?(ruledOut: RuledOut): { readonly open: number; readonly ruledOut: RuledOut; readonly atLeast?: boolean }
}

export const noDemands = { next: [], before: [], include: [], without: [], either: [] } as const

/**
 * What is proposed by the thousand is made here, with the same properties in the same order whatever the kind: otherwise what decides and checks would be
 * compiled anew for each.
 */
export function proposal(
  kind: Kind,
  pattern: string,
  events: Proposal['events'],
  { next, before, include, without, either }: Demands,
  { region, offer, interval }: Pick<Proposal, 'region' | 'offer' | 'interval'> = NOTHING_MORE,
): Proposal {
  return { kind, pattern, events, next, before, include, without, either, region, offer, interval }
}

const NOTHING_MORE = { region: undefined, offer: undefined, interval: undefined }
