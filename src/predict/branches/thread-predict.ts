/**
 * Schedule-sensitive branches of threads (seed 002): for each site with a condition over shared memory, an order of steps that flips it, by our own
 * search first, then with Z3 for the remaining sites. One flipped decision settles its site. Orders are in whole steps, so that a replay can carry
 * them out. A long run is decided in chunks (causal/chunk.ts); what is found in one is checked in the whole run.
 */
import { Partition } from '../../causal/chunk.ts'
import { HeddleError } from '../../errors.ts'
import { Z3 } from '../../solve/z3.ts'
import { NO_NODE } from '../../symbolic/expressions.ts'
import type { Paths } from '../../symbolic/paths.ts'
import { PIN_KIND, type SymbolicTrace } from '../../symbolic/symbolic-trace.ts'
import type { Joined } from '../../trace/joined.ts'
import { BRANCH } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { PathChecker } from '../../witness/paths.ts'
import { simplify } from '../../witness/simplify.ts'
import { CoverageRow } from '../../coverage.ts'
import type { Prediction } from '../prediction.ts'
import type { ThreadOptions } from '../threads/prediction.ts'
import { BranchDecider, graceFor, type BranchAnswer } from './thread-decide.ts'
import { Describer } from './thread-describe.ts'
import { inWholeSteps } from './thread-steps.ts'
import { BRANCH_SETUP } from './thread-smt.ts'
import { Sources } from './thread-sources.ts'
import { woven, type Woven } from './thread-weave.ts'

export interface ThreadBranchOptions extends Pick<ThreadOptions, 'command' | 'timers' | 'limit' | 'deadline' | 'onNote'> {
  readonly coverage?: CoverageRow
  /** Milliseconds for one question to Z3. 0: without Z3. */
  readonly solverMs?: number
  /** Traces of more events are looked at in chunks. */
  readonly long?: number
}

/** Longer traces are looked at in chunks, so many events of each thread. */
const LONG = 1_000
const WINDOW = 40
const MOST_CHUNKS = 2_000
/** Of each place: decisions looked at in the whole or in one chunk, and in all chunks, before it is given up. */
const MOST_AT_ONCE = 8
const MOST_IN_CHUNK = 2
const MOST_TRIES = 100
/** Of each place in one part: questions to Z3. */
const MOST_ASKED = 8
const SOLVER_MS = 2_000
/** To rule out places of a long run. */
const MOST_MS = 2_000

interface BranchPlace {
  readonly branches: EventId[]
  settled: boolean
  isLookedAt: boolean
  tries: number
  /** Decisions that cannot flip. */
  ruledOut: number
}

/** The whole trace, or a chunk of it. */
interface Part {
  readonly symbolic: SymbolicTrace
  /** The event of the whole, NONE where there is none. */
  readonly originOf: (e: EventId) => EventId
  /** An order of the part that ends before the branch, as one of the whole. */
  readonly whole: (order: Int32Array, branch: EventId) => Int32Array
}

export async function* predictThreadBranches(
  joined: Joined,
  paths: readonly Paths[],
  options: ThreadBranchOptions,
): AsyncGenerator<Prediction, void, undefined> {
  const looking = new Looking(joined, paths, options)
  try {
    yield* looking.look()
  } finally {
    looking.close()
  }
}

class Looking {
  private readonly row: CoverageRow
  private readonly weave: Woven
  private readonly checker: PathChecker
  private readonly describer: Describer
  private readonly places: ReadonlyMap<string, BranchPlace>
  private z3: Z3 | undefined | 'none'
  private given = 0

  constructor(
    joined: Joined,
    paths: readonly Paths[],
    private readonly options: ThreadBranchOptions,
  ) {
    this.row = options.coverage ?? new CoverageRow('branches')
    this.weave = woven(joined, paths)
    this.checker = new PathChecker(this.weave)
    this.describer = new Describer(joined, this.weave, options)
    this.places = placesOf(this.weave)
    this.row.propose(this.places.size)
    this.row.causes += this.places.size
    for (const { branches } of this.places.values()) this.tell('conditions', branches.length)
  }

  async *look(): AsyncGenerator<Prediction, void, undefined> {
    const { weave, places } = this
    if (places.size === 0) return
    if (weave.trace.eventCount <= (this.options.long ?? LONG)) {
      const whole: Part = { symbolic: weave, originOf: (e) => e, whole: (order) => order }
      yield* this.lookAt(whole, MOST_AT_ONCE, true)
      return
    }
    this.ruleOut()
    const partition = new Partition(weave, { window: WINDOW, most: MOST_CHUNKS })
    const isOpen = (branch: EventId): boolean => this.isOpen(places.get(placeKey(weave.trace, branch)))
    for (const withZ3 of [false, true]) {
      for (const place of places.values()) place.tries = 0
      for (const chunk of partition.chunks(isOpen)) {
        const part: Part = { symbolic: chunk, originOf: (e) => chunk.origin[e]!, whole: (order, branch) => chunk.whole(order, branch) }
        yield* this.lookAt(part, MOST_IN_CHUNK, withZ3)
        if (this.isOver()) return
      }
      if (this.options.solverMs === 0) return
    }
  }

  close(): void {
    if (this.z3 && this.z3 !== 'none') this.z3.close()
    for (const place of this.places.values()) {
      if (place.settled) continue
      if (!place.isLookedAt) this.row.settle('notLookedAt', 'time')
      else if (place.ruledOut === place.branches.length) this.row.settle('infeasible', 'no order flips it')
      else this.row.settle('unknown', 'tries')
    }
  }

  private tell(fact: string, n: number): void {
    this.row.facts[fact] = (this.row.facts[fact] ?? 0) + n
  }

  /** Places none of whose inputs can see anything else, as far as there is time for it. */
  private ruleOut(): void {
    const sources = new Sources(this.weave)
    const until = performance.now() + MOST_MS
    for (const place of this.places.values()) {
      for (const branch of place.branches) {
        const inputs = sources.inputs.of(this.weave.of[branch]!)
        if (performance.now() > until || inputs.some((read) => sources.varies(read))) break
        place.isLookedAt = true
        place.ruledOut++
      }
    }
  }

  /** At most `each` decisions of a place in each thread. */
  private async *lookAt(part: Part, each: number, withZ3: boolean): AsyncGenerator<Prediction, void, undefined> {
    const { weave, places } = this
    const decider = new BranchDecider(part.symbolic)
    const left: { readonly place: BranchPlace; readonly branch: EventId }[] = []
    const looked = new Map<string, number>()
    for (let branch = 0; branch < part.symbolic.trace.eventCount; branch++) {
      const origin = part.originOf(branch)
      if (origin === NONE || !decider.isCondition(branch)) continue
      const key = placeKey(weave.trace, origin)
      const place = places.get(key)
      const own = `${key} ${part.symbolic.trace.taskOf(branch)}`
      const before = looked.get(own) ?? 0
      if (!place || before >= each || !this.isOpen(place)) continue
      if (this.isOver()) return
      place.isLookedAt = true
      const answer = decider.own(branch)
      const found = answer && this.settle(part, place, branch, answer)
      if (found) yield found
      // What cannot be otherwise in a chunk costs nothing and says little.
      if (answer?.verdict === 'infeasible' && part.symbolic !== weave) continue
      place.tries++
      looked.set(own, before + 1)
      if (!answer) left.push({ place, branch })
    }
    if (!withZ3 || left.length === 0) return
    const z3 = await this.solver()
    const asked = inTurn(left)
    for (let from = 0; z3 && from < asked.length; from += BATCH) {
      if (this.isOver()) {
        this.tell('cutOff', asked.length - from)
        return
      }
      const batch = asked.slice(from, from + BATCH).filter(({ place }) => !place.settled)
      const answers = await decider.ask(
        z3,
        batch.map(({ branch }) => branch),
      )
      for (const { place, branch } of batch) {
        const found = place.settled ? undefined : this.settle(part, place, branch, answers.get(branch)!)
        if (found) yield found
      }
    }
  }

  private settle(part: Part, place: BranchPlace, branch: EventId, answer: BranchAnswer): Prediction | undefined {
    const { row, weave } = this
    if (answer.verdict === 'infeasible' && part.symbolic === weave) place.ruledOut++
    if (answer.verdict === 'unknown' && answer.why !== 'refused') this.tell('cutOff', 1)
    if (answer.verdict !== 'feasible') return undefined
    const origin = part.originOf(branch)
    const order = part.whole(answer.order, branch)
    const whole =
      inWholeSteps(weave, this.checker, origin, simplify(weave.trace, order)) ?? inWholeSteps(weave, this.checker, origin, order)
    if (!whole) return undefined
    row.settle('feasible', 'evaluated')
    place.settled = true
    this.given++
    return this.describer.prediction(origin, whole.order, whole.flip)
  }

  private isOpen(place: BranchPlace | undefined): boolean {
    return place !== undefined && !place.settled && place.tries < MOST_TRIES && place.ruledOut < place.branches.length
  }

  private isOver(): boolean {
    return this.given >= (this.options.limit ?? Infinity) || performance.now() > (this.options.deadline ?? Infinity)
  }

  private async solver(): Promise<Z3 | undefined> {
    const { options } = this
    const timeoutMs = options.solverMs ?? SOLVER_MS
    if (timeoutMs !== 0) this.z3 ??= (await openZ3(timeoutMs, options)) ?? 'none'
    return this.z3 === 'none' ? undefined : this.z3
  }
}

const placeKey = (trace: Trace, branch: EventId): string => `${trace.site[branch]} ${trace.target[branch]}`

/** Decisions with a condition, by place. */
function placesOf({ trace, of }: SymbolicTrace): Map<string, BranchPlace> {
  const places = new Map<string, BranchPlace>()
  for (let e = 0; e < trace.eventCount; e++) {
    if (trace.op[e] !== BRANCH || of[e] === NO_NODE || trace.targetName(e) === PIN_KIND) continue
    const key = placeKey(trace, e)
    const place = places.get(key)
    if (place) place.branches.push(e)
    else places.set(key, { branches: [e], settled: false, isLookedAt: false, tries: 0, ruledOut: 0 })
  }
  return places
}

/** Questions of one text. */
const BATCH = 4

/** One of every place, then the second ones, … as far as they are asked. */
function inTurn<T extends { readonly place: BranchPlace }>(left: readonly T[]): T[] {
  const nth = new Map<BranchPlace, number>()
  const rounds: T[][] = Array.from({ length: MOST_ASKED }, () => [])
  for (const item of left) {
    const n = nth.get(item.place) ?? 0
    nth.set(item.place, n + 1)
    rounds[n]?.push(item)
  }
  return rounds.flat()
}

async function openZ3(timeoutMs: number, options: ThreadBranchOptions): Promise<Z3 | undefined> {
  try {
    return await Z3.open({ timeoutMs, graceMs: graceFor(timeoutMs), setup: BRANCH_SETUP })
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error
    options.onNote?.(
      "Branches whose conditions need arithmetic were not decided: there is no Z3 here. Install Debian's z3 package or npm's z3-solver.",
    )
    return undefined
  }
}
