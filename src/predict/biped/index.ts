/**
 * BIPED, the fast path of the order-violation predictor: Chang, Zhang, Lei, Zhao, "Biped: Bidirectional Prediction of Order Violations",
 * 2015. For every read with a neighbouring write of another task it looks for an interval of the recorded run inside which the two can
 * change places, and builds the order in which they do. docs/seeds/000-biped.md tells the whole story.
 *
 *   usage-table          which reads, which writes                          Definition 1
 *   bidirectional-tree   remote orders in both directions, lock sets        Definitions 2, 3
 *   recognise            from where to where                                section 4.1
 *   mutate               does an order forbid it?                           section 4.2
 *   schedule             the order that does it                             section 4.3
 *   flaw                 what the paper overlooks                           ours
 *
 * The method never looks at what reads see (the model `sync`), and section 4.4 leaves that to re-execution. Here the checker decides under
 * the chosen model, and what it refuses goes to decide.
 */
import type { Candidate } from '../../witness/candidate.ts'
import { Difference } from '../../witness/difference.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { BidirectionalTree } from './bidirectional-tree.ts'
import { flawOf } from './flaw.ts'
import { canBackwardMutate, canForwardMutate, type Mutation } from './mutate.ts'
import { recognise, type Ends, type Tactic, type UseType } from './recognise.ts'
import { afterPrefix, permutedInterval } from './schedule.ts'
import { usageTable, type UsageTable } from './usage-table.ts'

export type { UseType } from './recognise.ts'

export interface Interval {
  readonly type: UseType
  /** The read. */
  readonly use: EventId
  /** The write that the read relies on (overdue), or that should come after it (premature). */
  readonly other: EventId
  /** The last and the first event of the interval. */
  readonly top: EventId
  readonly bottom: EventId
  /** How its ends were found: the paper's way, or ours where that one gave up. Impossible ones show the paper's. */
  readonly tactic: Tactic
  /** The verdict by the paper's checks. Believe it only when the checker accepts the witness; see `flaw`. */
  readonly possible: boolean
  /** Why not, in a sentence. */
  readonly reason?: string
  /** The interval's events in the new order. Made when asked for; linear in the interval. */
  readonly permuted?: Int32Array
  /** The recorded order before the interval, then `permuted`. Made when asked for; linear in the trace. */
  readonly order?: Int32Array
  /**
   * Set when the interval is possible by the paper's rules, but the part of its schedule that a witness needs breaks a rule the paper
   * overlooks: leave it to decide. Made when asked for; linear in the interval.
   */
  readonly flaw?: string | undefined
}

/** The uses of a trace, and their intervals when asked for. */
export class Intervals {
  private tree: BidirectionalTree | undefined

  constructor(
    private readonly trace: Trace,
    readonly table: UsageTable,
  ) {}

  of(type: UseType, use: EventId, other: EventId): Interval {
    return intervalOf((this.tree ??= new BidirectionalTree(this.trace)), type, use, other)
  }
}

/** A trace without a global order has none, because what stood before and after what is not known. */
export function intervalsOf(trace: Trace): Intervals | undefined {
  if (trace.facts.order !== 'global') return undefined
  const table = usageTable(trace)
  return table.use.length === 0 ? undefined : new Intervals(trace, table)
}

/** Two intervals at most per read, in recorded order of the reads, overdue before premature. Lazy: only what is taken is looked for. */
export function* bipedIntervals(trace: Trace): Generator<Interval, void, undefined> {
  const intervals = intervalsOf(trace)
  if (!intervals) return
  const { use, predef, redef } = intervals.table
  for (let row = 0; row < use.length; row++) {
    if (predef[row] !== NONE) yield intervals.of('overdue', use[row]!, predef[row]!)
    if (redef[row] !== NONE) yield intervals.of('premature', use[row]!, redef[row]!)
  }
}

/** The candidate that a possible interval is about, and the order that shows it; undefined when the interval is not possible. */
export function toWitness(interval: Interval, trace: Trace): { candidate: Candidate; witness: Difference } | undefined {
  const { type, use, other, bottom, permuted } = interval
  if (!interval.possible || !permuted) return undefined
  const overdue = type === 'overdue'
  // The part in front of the interval is as long as the number of events recorded before bottom.
  const place = trace.ranks()[bottom]!
  return {
    candidate: {
      kind: 'order-violation',
      pattern: type,
      events: overdue ? [use, other] : [other, use],
      next: [use],
      before: [],
      include: overdue ? [] : [other],
      without: overdue ? [other] : [],
      either: [],
    },
    witness: Difference.after(trace, place, upTo(permuted, use)),
  }
}

/** The witness of `toWitness`, unless the interval is not possible or has a flaw. One pass over the interval does for all of it. */
export function soundWitness(interval: Interval): Difference | undefined {
  return interval instanceof PossibleInterval ? interval.soundWitness() : undefined
}

function intervalOf(tree: BidirectionalTree, type: UseType, use: EventId, other: EventId): Interval {
  const check = type === 'overdue' ? canBackwardMutate : canForwardMutate
  const whole = recognise(tree, type, use, other, 'whole')
  const { chain, reached } = check(tree, whole)
  if (!chain) return new PossibleInterval(tree, whole, 'whole', type, use, other, reached)

  const cut = recognise(tree, type, use, other, 'cut')
  if (cut.top !== whole.top || cut.bottom !== whole.bottom) {
    const again = check(tree, cut)
    if (!again.chain) return new PossibleInterval(tree, cut, 'cut', type, use, other, again.reached)
  }
  const reason = chain.map((edge) => tree.sentence(edge)).join('; ')
  return { type, use, other, top: whole.top, bottom: whole.bottom, tactic: 'whole', possible: false, reason }
}

/** Orders are made when asked for: there may be as many intervals as reads, each as long as the trace. */
class PossibleInterval implements Interval {
  readonly possible = true
  readonly top: EventId
  readonly bottom: EventId

  constructor(
    private readonly tree: BidirectionalTree,
    private readonly ends: Ends,
    readonly tactic: Tactic,
    readonly type: UseType,
    readonly use: EventId,
    readonly other: EventId,
    private readonly reached: Mutation['reached'],
  ) {
    this.top = ends.top
    this.bottom = ends.bottom
  }

  get permuted(): Int32Array {
    // What moves is what top depends on; looking ahead from bottom has found something else.
    const moved = this.type === 'overdue' ? this.reached : canBackwardMutate(this.tree, this.ends).reached
    return permutedInterval(this.tree, this.ends, moved)
  }

  get order(): Int32Array {
    return afterPrefix(this.tree.order, this.tree.position[this.bottom]!, this.permuted)
  }

  get flaw(): string | undefined {
    return flawOf(this.tree, this.tree.position[this.bottom]!, upTo(this.permuted, this.use))
  }

  soundWitness(): Difference | undefined {
    const place = this.tree.position[this.bottom]!
    const part = upTo(this.permuted, this.use)
    return flawOf(this.tree, place, part) === undefined ? Difference.after(this.tree.trace, place, part) : undefined
  }
}

/** What comes before `event`. */
const upTo = (order: Int32Array, event: EventId): Int32Array => order.subarray(0, order.indexOf(event))
