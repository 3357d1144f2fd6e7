/**
 * Acquires with the same wanted lock, held locks and site are one acquisition, whatever the task: the abstract acquisitions of SPDOffline (Tunç, Mathur,
 * Pavlogiannis, Viswanathan, PLDI 2023), with the site instead of the task, because sites make the cause. Only those that can be part of a cycle of locks are
 * kept, and which of them wait for which is found by windows over the acquires of each task, never by looking at all pairs.
 */
import { components } from '../../base/components.ts'
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

function findAcquisitions(causality: Causality, locksets: Locksets): Acquisition[] {
  const { trace, sections } = causality
  const found = new Map<string, Acquisition & { readonly lists: EventId[][] }>()
  const mayNotWait = asksInPassing(trace)
  for (let s = 0; s < sections.count; s++) {
    const event = sections.acquire[s]!
    // Who only tries, or waits for some time only, does not wait for ever.
    if (mayNotWait && howAsked(trace, event)) continue
    const task = sections.task[s]!
    const head = sections.headBefore(event, task)
    if (head === NONE) continue
    const lockset = locksets.of(head)
    const lock = sections.lock[s]!
    const exclusive = trace.op[event] === ACQUIRE
    const site = trace.site[event]!
    const key = `${lock} ${exclusive} ${lockset} ${site}`
    let known = found.get(key)
    if (!known) {
      known = { number: found.size, lock, exclusive, site, lockset, held: locksets.members(lockset), members: [], lists: [] }
      found.set(key, known)
    }
    // Sections come by task.
    if (known.members.at(-1)?.task !== task) {
      known.members.push({ task, events: NO_EVENTS })
      known.lists.push([])
    }
    known.lists.at(-1)!.push(event)
  }
  const inCycles = Array.from(found.values()).filter(cyclic(trace.tables.locks.size, [...found.values()]))
  return inCycles.map(({ lists, members, ...rest }, number) => ({
    ...rest,
    number,
    members: members.map(({ task }, i) => ({ task, events: Int32Array.from(lists[i]!) })),
  }))
}

/** Can the acquisition be part of a cycle of locks, each taken while the one before is held? Programs that keep an order of their locks have none. */
function cyclic(locks: number, all: readonly Acquisition[]): (one: Acquisition) => boolean {
  const after: Set<number>[] = Array.from({ length: locks }, () => new Set())
  for (const { held, lock } of all) for (const h of held) after[h >> 1]!.add(lock)
  const lists = after.map((set) => [...set])
  const component = components(locks, (lock) => lists[lock]!)
  return ({ held, lock }) => held.some((h) => component[h >> 1] === component[lock])
}

const NO_EVENTS = new Int32Array(0)
const NO = 1
const YES = 2

/** Does `owner` hold what `wanter` waits for? */
export const blocks = (owner: Acquisition, wanter: Acquisition): boolean =>
  owner.held.some((h) => h >> 1 === wanter.lock && ((h & 1) === 1 || wanter.exclusive))

/** The acquires of one task that hold some lock, in program order, and which acquisition each belongs to. */
interface Holding {
  readonly task: TaskId
  readonly events: Int32Array
  readonly of: Int32Array
  /** How many different acquisitions. */
  readonly different: number
}

/** Who waits for whom, as far as both can be at once: different tasks, no lock in common, and events that must-order leaves unordered. */
export class Waits {
  readonly acquisitions: readonly Acquisition[]
  private readonly holders = new Map<number, Holding[]>() // by held lock
  /** NO or YES of pairs that were asked about. */
  private readonly known = new PairCounts()
  private readonly next: (ReadonlyMap<number, readonly Acquisition[]> | undefined)[] = []
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
    const all = (this.acquisitions = findAcquisitions(causality, locksets))
    this.walked = new Int32Array(all.length)
    this.asked = new Int32Array(all.length)
    const byLock = new Map<number, { event: EventId; of: number }[]>()
    for (const { number, held, members } of all) {
      for (const lock of new Set(held.map((h) => h >> 1))) {
        let list = byLock.get(lock)
        if (!list) byLock.set(lock, (list = []))
        for (const { events } of members) for (const event of events) list.push({ event, of: number })
      }
    }
    for (const [lock, list] of byLock) {
      list.sort((a, b) => a.event - b.event) // so by task
      const holdings: Holding[] = []
      for (let from = 0; from < list.length;) {
        const task = causality.task[list[from]!.event]!
        let to = from
        while (to < list.length && causality.task[list[to]!.event] === task) to++
        const part = list.slice(from, to)
        const of = Int32Array.from(part, (x) => x.of)
        holdings.push({ task, events: Int32Array.from(part, (x) => x.event), of, different: new Set(of).size })
        from = to
      }
      this.holders.set(lock, holdings)
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
    let left = holding.different
    let reached = 0
    for (const e of events) {
      const [from, to] = freeWindow(this.causality, this.must, holding, e, e)
      for (let i = Math.max(from, reached); i < to; i++) {
        const of = holding.of[i]!
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
