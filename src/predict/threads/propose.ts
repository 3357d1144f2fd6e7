/**
 * All candidates of a trace of threads: those of every predictor for threads, and some that only replays of workers need, because what they ask for
 * is not a matter of locks and values but of who is first (waits.ts, arrivals.ts).
 */
import { FREE } from '../../trace/ops.ts'
import type { EventId } from '../../trace/trace.ts'
import type { Vocabulary } from '../../trace/vocabulary.ts'
import { beginOf } from '../../trace/updates.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import { ThreadRun } from '../../causal/thread-run.ts'
import type { Property, Typestate } from '../../property/ast.ts'
import type { Decider } from '../decide/decider.ts'
import type { Accesses } from '../propose/accesses.ts'
import { atomicityViolations } from '../propose/atomicity.ts'
import { dataRaces } from '../propose/data-race.ts'
import { deadlocks } from '../propose/deadlock.ts'
import type { Group, Proposal } from '../propose/group.ts'
import { orderViolations } from '../propose/order-violation.ts'
import { propertyViolations } from '../propose/property.ts'
import { Regions } from '../propose/regions.ts'
import { typestateViolations } from '../propose/typestate.ts'
import { arrivalOrders } from './arrivals.ts'
import { checkThenAct } from './check-then-act.ts'
import { SiteRegions } from '../propose/site-regions.ts'
import { lostAsyncWakeUps, timeOuts, wakeUpOrders } from './waits.ts'

export interface ThreadProposal extends Proposal {
  /** One of waits.ts or arrivals.ts: what it means is said there, and not by `meaningless`. */
  readonly own?: boolean
  /** The demanded event ends a wait by its time-out. */
  readonly timesOut?: boolean
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
  /** Must the order be as asked in a way that demands cannot say? The event that is in the way, or NONE. */
  readonly inTheWay?: (order: Int32Array) => EventId
}

export interface ThreadGroup extends Group {
  candidates(): Iterable<ThreadProposal>
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

/** Groups of order violations that are also asked about as checks that something is done about. */
const MOST_CHECKS = 5000

export interface Asked {
  readonly properties?: readonly Property[]
  readonly typestates?: readonly Typestate[]
  readonly vocabulary: Vocabulary
}

export function* proposeAll(
  decider: Decider,
  accesses: Accesses,
  { properties = [], typestates = [], vocabulary: { loops, functionsInSites, countsAll } }: Asked,
  stepOf: Int32Array,
  onCut: () => void,
): Iterable<ThreadGroup> {
  const { causality, must } = decider
  for (const property of properties) yield* ofProperty(causality, must, property, onCut)
  for (const typestate of typestates) yield* typestateViolations(new ThreadRun(causality, must), typestate, onCut)
  // To free is to write. Where a typestate speaks of it, that says more.
  const own = typestates.some(frees) ? (groups: Iterable<ThreadGroup>) => notOfFrees(causality, stepOf, groups) : same
  let checks = countsAll ? MOST_CHECKS : 0
  for (const group of own(orderViolations(causality, must))) {
    yield group
    if (checks-- > 0) yield checkThenAct(causality, group)
  }
  const regions = functionsInSites ? new SiteRegions(causality) : new Regions(causality)
  yield* own(atomicityViolations(causality, must, accesses, regions))
  yield* deadlocks(causality, must, accesses.locksets, onCut)
  if (loops) {
    yield* timeOuts(decider)
    yield* lostAsyncWakeUps(decider)
  }
  yield* wakeUpOrders(decider)
  if (loops) yield* arrivalOrders(causality)
  yield* own(dataRaces(causality, must, accesses))
}

const frees = ({ events }: Typestate): boolean => events.some(({ source }) => source.kind === 'free')
const same = (groups: Iterable<ThreadGroup>): Iterable<ThreadGroup> => groups

/** The groups without candidates that name a write which is part of a step that frees. */
function* notOfFrees({ trace, task }: Causality, stepOf: Int32Array, groups: Iterable<ThreadGroup>): Iterable<ThreadGroup> {
  const ofFree = new Uint8Array(trace.eventCount)
  for (let e = 0; e < trace.eventCount; e++) {
    if (trace.op[e] !== FREE) continue
    for (let w = e; w >= trace.taskStart[task[e]!]! && stepOf[w] === stepOf[e]; w--) ofFree[w] = 1
  }
  for (const group of groups) {
    const candidates = function* (): Iterable<ThreadProposal> {
      for (const candidate of group.candidates()) if (!candidate.events.some((e) => ofFree[e] === 1)) yield candidate
    }
    yield {
      kind: group.kind,
      get key() {
        return group.key
      },
      settled: group.settled,
      candidates,
    }
  }
}

/** The two of `a || b` in the order in which they were recorded: the replay has them the other way round. */
function* ofProperty(causality: Causality, must: MustOrder, property: Property, onCut: () => void): Iterable<ThreadGroup> {
  const { rank } = causality
  for (const group of propertyViolations(new ThreadRun(causality, must), must, property, onCut)) {
    const candidates = function* (): Iterable<ThreadProposal> {
      for (const candidate of group.candidates())
        yield candidate.match?.parallel ? { ...candidate, next: candidate.next.toSorted((a, b) => rank[a]! - rank[b]!) } : candidate
    }
    yield { ...group, candidates }
  }
}

/**
 * On the cells that are locks made by hand, as plain cells: what becomes of who finds a lock taken, or takes it in two steps. Where they are
 * locks such orders do not exist.
 */
export function* proposeOnLocks(decider: Decider, accesses: Accesses, locks: ReadonlySet<string>): Iterable<ThreadGroup> {
  const { causality, must } = decider
  const { locations } = causality.trace.tables
  const only = new Set([...locks].map((name) => locations.find(name)))
  yield* orderViolations(causality, must, only)
  yield* atomicityViolations(causality, must, accesses, new Regions(causality), only)
}
