/**
 * Acquires with the same wanted lock, held locks and site are one acquisition, whatever the task: the abstract acquisitions of SPDOffline (Tunç, Mathur,
 * Pavlogiannis, Viswanathan, PLDI 2023), with the site instead of the task, because sites make the cause. Only those that can be part of a cycle of locks are
 * kept, and which of them wait for which is found by windows over the acquires of each task, never by looking at all pairs.
 */
import { components } from '../../base/components.ts'
import { GrowInt32 } from '../../base/grow.ts'
import { PairCounts } from '../../base/pair-counts.ts'
import { asksInPassing, howAsked } from '../../trace/asked.ts'
import { ACQUIRE } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import type { Locksets } from '../../causal/locksets.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import { freeWindow } from './accesses.ts'

export interface Acquisition {
  readonly number: number
  readonly lock: number
  readonly exclusive: boolean
  readonly site: number
  readonly lockset: number
  /** lock × 2 + exclusive, of what is held. */
  readonly held: readonly number[]
  /** By task. */
  readonly members: Member[]
}

export interface Member {
  readonly task: TaskId
  /** In program order. */
  readonly events: Int32Array
}

interface Found {
  readonly acquisitions: Acquisition[]
  /** Per section: the number of its acquisition, or NONE. */
  readonly of: Int32Array
}

function findAcquisitions(causality: Causality, locksets: Locksets): Found {
  const { trace, sections } = causality
  const { op, site } = trace
  const mayNotWait = asksInPassing(trace)
  const locks = trace.tables.locks.size
  /** Per section: the locks held where it is asked for; NONE where nothing is. Then the number of its acquisition. */
  const of = new Int32Array(sections.count).fill(NONE)
  const wanted: Set<number>[] = [] // by lockset: locks
  for (let s = 0; s < sections.count; s++) {
    const event = sections.acquire[s]!
    // Who only tries, or waits for some time only, does not wait for ever.
    if (mayNotWait && howAsked(trace, event)) continue
    const head = sections.headBefore(event, sections.task[s]!)
    if (head === NONE) continue
    const lockset = locksets.of(head)
    of[s] = lockset
    ;(wanted[lockset] ??= new Set()).add(sections.lock[s]!)
  }
  const isCyclic = cyclic(locks, locksets, wanted)
  const found: (Acquisition & { readonly lists: GrowInt32[] })[] = []
  const known: Map<number, number>[] = [] // by lockset, then by site, lock and mode
  for (let s = 0; s < sections.count; s++) {
    const lockset = of[s]!
    const lock = sections.lock[s]!
    if (lockset === NONE) continue
    of[s] = NONE
    if (!isCyclic(lockset, lock)) continue
    const event = sections.acquire[s]!
    const task = sections.task[s]!
    const exclusive = op[event] === ACQUIRE
    const key = (site[event]! + 1) * 2 * locks + 2 * lock + (exclusive ? 1 : 0)
    const same = (known[lockset] ??= new Map())
    let number = same.get(key)
    if (number === undefined) {
      same.set(key, (number = found.length))
      found.push({ number, lock, exclusive, site: site[event]!, lockset, held: locksets.members(lockset), members: [], lists: [] })
    }
    of[s] = number
    const { members, lists } = found[number]!
    // Sections come by task.
    if (members.at(-1)?.task !== task) {
      members.push({ task, events: NO_EVENTS })
      lists.push(new GrowInt32(4))
    }
    lists.at(-1)!.push(event)
  }
  const acquisitions = found.map(({ lists, members, ...rest }) => ({
    ...rest,
    members: members.map(({ task }, i) => ({ task, events: lists[i]!.view() })),
  }))
  return { acquisitions, of }
}

/** Can who holds the locks and wants one more be part of a cycle of locks, each taken while the one before is held? Programs that keep an order of their locks have none. */
function cyclic(locks: number, locksets: Locksets, wanted: readonly Set<number>[]): (lockset: number, lock: number) => boolean {
  const after: Set<number>[] = Array.from({ length: locks }, () => new Set())
  wanted.forEach((wants, lockset) => {
    for (const h of locksets.members(lockset)) for (const lock of wants) after[h >> 1]!.add(lock)
  })
  const lists = after.map((set) => [...set])
  const component = components(locks, (lock) => lists[lock]!)
  return (lockset, lock) => locksets.members(lockset).some((h) => component[h >> 1] === component[lock])
}

const NO_EVENTS = new Int32Array(0)
const NO = 1
const YES = 2

/** Does `owner` hold what `wanter` waits for? */
const blocks = (owner: Acquisition, wanter: Acquisition): boolean =>
  owner.held.some((h) => h >> 1 === wanter.lock && ((h & 1) === 1 || wanter.exclusive))

/** The acquires of one task that hold some lock, in program order, and which acquisition each belongs to. */
class Holding {
  private readonly events_ = new GrowInt32(4)
  private readonly of_ = new GrowInt32(4)
  private readonly all = new Set<number>()

  constructor(readonly task: TaskId) {}

  add(event: EventId, of: number): void {
    this.events_.push(event)
    this.of_.push(of)
    this.all.add(of)
  }

  get events(): Int32Array {
    return this.events_.view()
  }

  get of(): Int32Array {
    return this.of_.view()
  }

  /** How many different acquisitions. */
  get different(): number {
    return this.all.size
  }
}

/** Who waits for whom, as far as both can be at once: different tasks, no lock in common, and events that must-order leaves unordered. */
export class Waits {
  readonly acquisitions: readonly Acquisition[]
  private readonly holders = new Map<number, Holding[]>() // by held lock
  /** NO or YES of pairs that were asked about. */
  private readonly known = new PairCounts()
  private readonly next: (ReadonlyMap<number, readonly Acquisition[]> | undefined)[] = []
  private previous: Acquisition[][] | undefined
  /** By acquisition: the last walk, and the last question, that met it. */
  private readonly walked: Int32Array
  private readonly asked: Int32Array
  private walks = 0
  private questions = 0

  constructor(
    private readonly causality: Causality,
    private readonly must: MustOrder,
    private readonly locksets: Locksets,
  ) {
    const { acquisitions: all, of } = findAcquisitions(causality, locksets)
    this.acquisitions = all
    this.walked = new Int32Array(all.length)
    this.asked = new Int32Array(all.length)
    const heldLocks = all.map(({ held }) => [...new Set(held.map((h) => h >> 1))])
    const { sections } = causality
    // Sections come by task, and in its order.
    for (let s = 0; s < sections.count; s++) {
      if (of[s] === NONE) continue
      const task = sections.task[s]!
      for (const lock of heldLocks[of[s]!]!) {
        let holdings = this.holders.get(lock)
        if (!holdings) this.holders.set(lock, (holdings = []))
        if (holdings.at(-1)?.task !== task) holdings.push(new Holding(task))
        holdings.at(-1)!.add(sections.acquire[s]!, of[s]!)
      }
    }
  }

  /** Those that hold what the acquisition wants: by the lock they want themselves, in order of their numbers. */
  heldBy(wanter: Acquisition): ReadonlyMap<number, readonly Acquisition[]> {
    const known = this.next[wanter.number]
    if (known) return known
    const found: Acquisition[] = []
    this.questions++
    for (const holding of this.holders.get(wanter.lock) ?? []) {
      for (const { task, events } of wanter.members) {
        if (task !== holding.task) this.walk(wanter, events, holding, found)
      }
    }
    found.sort((a, b) => a.number - b.number)
    const byLock = new Map<number, Acquisition[]>()
    for (const one of found) {
      const same = byLock.get(one.lock)
      if (same) same.push(one)
      else byLock.set(one.lock, [one])
    }
    return (this.next[wanter.number] = byLock)
  }

  /** Adds what the events can meet. Their windows only move on, so that each acquire of the holding is looked at once at most. */
  private walk(wanter: Acquisition, events: Int32Array, holding: Holding, found: Acquisition[]): void {
    const walk = ++this.walks
    const { task, events: theirs, of: whose } = holding
    const others = { task, events: theirs }
    let left = holding.different
    let reached = 0
    for (const e of events) {
      const [from, to] = freeWindow(this.causality, this.must, others, e, e)
      for (let i = Math.max(from, reached); i < to; i++) {
        const of = whose[i]!
        if (this.walked[of] === walk) continue
        this.walked[of] = walk
        const owner = this.acquisitions[of]!
        if (this.asked[of] !== this.questions && blocks(owner, wanter) && !this.locksets.exclude(wanter.lockset, owner.lockset)) {
          this.asked[of] = this.questions
          found.push(owner)
        }
        if (--left === 0) return
      }
      reached = Math.max(reached, to)
    }
  }

  /** The other way round: those that `heldBy` gives this one for. They want what it holds, and can be with it. */
  wantedFrom(owner: Acquisition): readonly Acquisition[] {
    if (!this.previous) {
      this.previous = this.acquisitions.map(() => [])
      for (const wanter of this.acquisitions)
        for (const list of this.heldBy(wanter).values()) for (const one of list) this.previous[one.number]!.push(wanter)
    }
    return this.previous[owner.number]!
  }

  canBeBoth(a: Acquisition, b: Acquisition): boolean {
    if (a.number > b.number) return this.canBeBoth(b, a)
    const known = this.known.get(a.number, b.number)
    if (known !== 0) return known === YES
    const possible =
      !this.locksets.exclude(a.lockset, b.lockset) &&
      a.members.some((x) => b.members.some((y) => x.task !== y.task && meet(this.must, x.events, y.events)))
    this.known.add(a.number, b.number, possible ? YES : NO)
    return possible
  }
}

/** What comes before an event of the other comes before all later ones too, so both lists are walked once. */
export function meet(must: MustOrder, a: Int32Array, b: Int32Array): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (must.before(a[i]!, b[j]!)) i++
    else if (must.before(b[j]!, a[i]!)) j++
    else return true
  }
  return false
}
