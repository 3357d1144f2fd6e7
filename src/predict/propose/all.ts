/**
 * All candidates of a trace of threads, cause by cause. A program that is replayed has more: candidates that only replays can settle, because they
 * are not about locks and values but about which thread is first (threads/waits.ts, threads/tries.ts, threads/arrivals.ts, threads/write-order.ts).
 */
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import { ThreadRun } from '../../causal/thread-run.ts'
import type { Declaration, Property, Typestate } from '../../property/ast.ts'
import { FREE } from '../../trace/ops.ts'
import type { Vocabulary } from '../../trace/vocabulary.ts'
import type { Kind } from '../../witness/candidate.ts'
import type { UseType } from '../biped/index.ts'
import type { Decider } from '../decide/decider.ts'
import { arrivalOrders } from '../threads/arrivals.ts'
import { checkThenAct } from '../threads/check-then-act.ts'
import type { ThreadGroup, ThreadProposal } from '../threads/propose.ts'
import { otherOutcomes } from '../threads/tries.ts'
import { lostAsyncWakeUps, timeOuts, wakeUpOrders } from '../threads/waits.ts'
import { writeOrders } from '../threads/write-order.ts'
import type { Accesses } from './accesses.ts'
import { atomicityViolations } from './atomicity.ts'
import { dataRaces } from './data-race.ts'
import { deadlocks } from './deadlock.ts'
import type { RuledOut } from './group.ts'
import { orderViolations } from './order-violation.ts'
import { propertyViolations } from './property.ts'
import { Regions } from './regions.ts'
import { SiteRegions } from './site-regions.ts'
import { typestateViolations } from './typestate.ts'

export interface Asked {
  /** In this order. */
  readonly kinds: readonly Kind[]
  readonly declarations: readonly Declaration[]
  /** Order violations of one direction alone. */
  readonly direction?: UseType
  /** Of a program that is run again. `stepOf`: for every event the step of its thread. */
  readonly replayed?: { readonly vocabulary: Vocabulary; readonly stepOf: Int32Array }
  /** At least so many candidates of a kind are left out. */
  readonly onCut: (kind: Kind, left: number) => void
}

/** Groups of order violations that are also asked about as checks that something is done about. */
const MOST_CHECKS = 5000

export function* proposeAll(decider: Decider, accesses: Accesses, asked: Asked): Iterable<ThreadGroup> {
  for (const kind of asked.kinds) yield* PREDICTORS[kind](decider, accesses, asked)
}

type Predictor = (decider: Decider, accesses: Accesses, asked: Asked) => Iterable<ThreadGroup>

const PREDICTORS: Readonly<Record<Kind, Predictor>> = {
  'data-race': ({ causality, must }, accesses, asked) => notOfFrees(causality, asked, dataRaces(causality, must, accesses)),
  atomicity: ({ causality, must }, accesses, asked) => {
    const regions = asked.replayed?.vocabulary.functionsInSites ? new SiteRegions(causality) : new Regions(causality)
    return notOfFrees(causality, asked, atomicityViolations(causality, must, accesses, regions))
  },
  *'order-violation'({ causality, must }, accesses, asked) {
    let checks = asked.replayed?.vocabulary.countsAll ? MOST_CHECKS : 0
    for (const group of notOfFrees(causality, asked, orderViolations(causality, must, undefined, asked.direction))) {
      yield group
      if (checks-- > 0) yield checkThenAct(causality, group)
    }
    if (asked.replayed) yield* notOfFrees(causality, asked, writeOrders(causality, must, accesses))
  },
  *deadlock(decider, { locksets }, { replayed, onCut }) {
    const { causality, must } = decider
    yield* deadlocks(causality, must, locksets, () => onCut('deadlock', 1))
    if (!replayed) return
    const { loops } = replayed.vocabulary
    yield* timeOuts(decider)
    yield* otherOutcomes(decider)
    if (loops) yield* lostAsyncWakeUps(decider)
    yield* wakeUpOrders(decider)
    if (loops) yield* arrivalOrders(causality)
  },
  *property({ causality, must }, _, { declarations, replayed, onCut }) {
    for (const declaration of declarations) {
      if (declaration.kind !== 'property') continue
      const groups = ofProperty(causality, must, declaration, (left) => onCut('property', left))
      yield* replayed ? asRecorded(causality, groups) : groups
    }
  },
  *typestate({ causality, must }, _, { declarations, onCut }) {
    for (const declaration of declarations)
      if (declaration.kind === 'typestate')
        yield* typestateViolations(new ThreadRun(causality, must), declaration, (left) => onCut('typestate', left))
  },
}

const ofProperty = (causality: Causality, must: MustOrder, property: Property, onCut: (left: number) => void): Iterable<ThreadGroup> =>
  propertyViolations(new ThreadRun(causality, must), must, property, onCut)

const frees = (declaration: Declaration): declaration is Typestate =>
  declaration.kind === 'typestate' && declaration.events.some(({ source }) => source.kind === 'free')

/**
 * To free is to write. Where a typestate speaks of it, that says more: the groups without candidates that name a write which is part of a step
 * that frees.
 */
function* notOfFrees(causality: Causality, { declarations, replayed }: Asked, groups: Iterable<ThreadGroup>): Iterable<ThreadGroup> {
  if (!replayed || !declarations.some(frees)) return yield* groups
  const { trace, task } = causality
  const { stepOf } = replayed
  const ofFree = new Uint8Array(trace.eventCount)
  for (let e = 0; e < trace.eventCount; e++) {
    if (trace.op[e] !== FREE) continue
    for (let w = e; w >= trace.taskStart[task[e]!]! && stepOf[w] === stepOf[e]; w--) ofFree[w] = 1
  }
  for (const group of groups) {
    const candidates = function* (ruledOut: RuledOut): Iterable<ThreadProposal> {
      for (const candidate of group.candidates(ruledOut)) if (!candidate.events.some((e) => ofFree[e] === 1)) yield candidate
    }
    yield {
      kind: group.kind,
      get key() {
        return group.key
      },
      candidates,
    }
  }
}

/** The two of `a || b` in the order in which they were recorded: the replay has them the other way round. */
function* asRecorded({ rank }: Causality, groups: Iterable<ThreadGroup>): Iterable<ThreadGroup> {
  for (const group of groups) {
    const candidates = function* (ruledOut: RuledOut): Iterable<ThreadProposal> {
      for (const candidate of group.candidates(ruledOut))
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
