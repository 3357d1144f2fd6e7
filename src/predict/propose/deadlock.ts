/**
 * Deadlocks (seed 003): a cycle of tasks that each hold a lock the next one wants, for any number of tasks. Held sets must not exclude each
 * other: a cycle inside a common outer lock cannot close. Also lost wake-ups: a task that starts to wait after every notify has come.
 *
 * Acquires with the same wanted lock, held locks and site are one acquisition, whatever the task: the abstract acquisitions of SPDOffline (Tunç, Mathur,
 * Pavlogiannis, Viswanathan, PLDI 2023), with the site instead of the task, because sites make the cause. Cycles are searched among these; tasks, and then
 * events, are chosen only for a cycle that is looked at. A path is followed only through acquisitions that must-order lets meet, and those are found by
 * windows over the acquires of each task, never by looking at all pairs.
 */
import { asksInPassing, howAsked } from '../../trace/asked.ts'
import { ACQUIRE } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import type { Locksets } from '../../causal/locksets.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Candidate } from '../../witness/candidate.ts'
import { freeWindow } from './accesses.ts'
import { noDemands, noneRuledOut, type Group, type RuledOut } from './group.ts'

interface Acquisition {
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

interface Member {
  readonly task: TaskId
  /** In program order. */
  readonly events: Int32Array
}

/** Cycles, and steps in search of them, before a trace with very many is given up on; `onCut` is told. */
const MOST_CYCLES = 100_000
const MOST_STEPS = 5_000_000

export function* deadlocks(causality: Causality, must: MustOrder, locksets: Locksets, onCut: () => void): Iterable<Group> {
  const { trace } = causality
  const waits = new Waits(causality, must, locksets)
  const causes = new Map<string, Acquisition[][]>()
  let cycles = 0
  for (const cycle of findCycles(waits, trace.taskCount)) {
    if (cycle === undefined || ++cycles > MOST_CYCLES) {
      onCut()
      break
    }
    if (cycle.length > 2 && spellOut(causality, must, cycle, noneRuledOut())[Symbol.iterator]().next().done) continue
    const key = cycle
      .map((d) => `${trace.tables.locks.at(d.lock)}@${d.site}`)
      .sort()
      .join(' ')
    const same = causes.get(key)
    if (same) same.push(cycle)
    else causes.set(key, [cycle])
  }
  let done = 0
  for (const [key, same] of causes) {
    yield {
      kind: 'deadlock',
      key: `deadlock ${key}`,
      through: done++ / causes.size,
      candidates: function* (ruledOut) {
        for (const cycle of same) yield* spellOut(causality, must, cycle, ruledOut)
      },
    }
  }
  yield* lostWakeUps(causality, must)
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
  return Array.from(found.values(), ({ lists, members, ...rest }) => ({
    ...rest,
    members: members.map(({ task }, i) => ({ task, events: Int32Array.from(lists[i]!) })),
  }))
}

const NO_EVENTS = new Int32Array(0)

/** Does `owner` hold what `wanter` waits for? */
const blocks = (owner: Acquisition, wanter: Acquisition): boolean =>
  owner.held.some((h) => h >> 1 === wanter.lock && ((h & 1) === 1 || wanter.exclusive))

/**
 * Every cycle once: of its rotations the one with the smallest numbers. Short ones first, so that a trace with too many to look at all of them (in which case
 * the last thing said is undefined) shows those that are easiest to come by.
 */
function* findCycles(waits: Waits, tasks: number): Iterable<Acquisition[] | undefined> {
  const path: Acquisition[] = []
  let steps = 0
  let length = 2
  let longer = true // is there a path that is cut short by `length`?
  function* extend(): Iterable<Acquisition[]> {
    const wanter = path.at(-1)!
    const first = path[0]!
    if (path.length === length) {
      if (blocks(first, wanter) && isLeastRotation(path)) yield [...path]
      longer = true
      return
    }
    for (const next of waits.heldBy(wanter)) {
      if (++steps > MOST_STEPS) return
      if (next.number < first.number || path.some((d) => d !== wanter && !waits.canBeBoth(d, next))) continue
      path.push(next)
      yield* extend()
      path.pop()
    }
  }
  for (; longer && length <= tasks; length++) {
    longer = false
    for (const d of waits.acquisitions) {
      path.length = 0
      path.push(d)
      yield* extend()
      if (steps > MOST_STEPS) return yield undefined
    }
  }
}

function isLeastRotation(path: readonly Acquisition[]): boolean {
  const n = path.length
  for (let by = 1; by < n; by++) {
    for (let i = 0; i < n; i++) {
      const difference = path[(i + by) % n]!.number - path[i]!.number
      if (difference < 0) return false
      if (difference > 0) break
    }
  }
  return true
}

/** The acquires of one task that hold some lock, in program order, and which acquisition each belongs to. */
interface Holding {
  readonly task: TaskId
  readonly events: Int32Array
  readonly of: Int32Array
  /** How many different acquisitions. */
  readonly different: number
}

/** Who waits for whom, as far as both can be at once: different tasks, no lock in common, and events that must-order leaves unordered. */
class Waits {
  readonly acquisitions: readonly Acquisition[]
  private readonly holders = new Map<number, Holding[]>() // by held lock
  private readonly known = new Map<number, boolean>()
  private readonly next: (readonly Acquisition[] | undefined)[] = []
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

  /** Those that hold what the acquisition wants, by number. */
  heldBy(wanter: Acquisition): readonly Acquisition[] {
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
    return (this.next[wanter.number] = found)
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
    const key = a.number * this.acquisitions.length + b.number
    let possible = this.known.get(key)
    if (possible === undefined) {
      possible =
        !this.locksets.exclude(a.lockset, b.lockset) &&
        a.members.some((x) => b.members.some((y) => x.task !== y.task && meet(this.must, x.events, y.events)))
      this.known.set(key, possible)
    }
    return possible
  }
}

/** What comes before an event of the other comes before all later ones too, so both lists are walked once. */
function meet(must: MustOrder, a: Int32Array, b: Int32Array): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (must.before(a[i]!, b[j]!)) i++
    else if (must.before(b[j]!, a[i]!)) j++
    else return true
  }
  return false
}

/** All choices of one event of each acquisition, of different tasks, that must-order leaves unordered. Those free to meet what is chosen already are neighbours. */
function* spellOut(causality: Causality, must: MustOrder, cycle: readonly Acquisition[], ruledOut: RuledOut): Iterable<Candidate> {
  const members: Member[] = []
  const chosen: EventId[] = []
  const period = periodOf(cycle)
  function* chooseTasks(): Iterable<Candidate> {
    if (members.length === cycle.length) return yield* chooseEvents()
    const at = members.length
    for (const member of cycle[at]!.members) {
      // A cycle that is its own rotation would be met once for each.
      if (at > 0 && at % period === 0 && member.task < members[0]!.task) continue
      if (members.some((m) => m.task === member.task || !meet(must, m.events, member.events))) continue
      members.push(member)
      yield* chooseTasks()
      members.pop()
    }
  }
  function* chooseEvents(): Iterable<Candidate> {
    if (chosen.length === cycle.length) {
      const events = fromLowestTask(causality, chosen)
      yield { ...noDemands, kind: 'deadlock', pattern: 'cycle', events, next: [...events] }
      return
    }
    const own = members[chosen.length]!
    let from = 0
    let to = own.events.length
    for (const other of chosen) {
      const [first, end] = freeWindow(causality, must, own, other, other)
      from = Math.max(from, first)
      to = Math.min(to, end)
    }
    const left = own.events.length - Math.max(0, to - from)
    if (left > 0) ruledOut.mustOrder += left * members.slice(chosen.length + 1).reduce((n, { events }) => n * events.length, 1)
    for (let i = from; i < to; i++) {
      chosen.push(own.events[i]!)
      yield* chooseEvents()
      chosen.pop()
    }
  }
  yield* chooseTasks()
}

/** After how many places the cycle is itself again. */
function periodOf(cycle: readonly Acquisition[]): number {
  let by = 1
  while (by < cycle.length && cycle.some((d, i) => d !== cycle[(i + by) % cycle.length])) by++
  return by
}

/** The same cycle, from the lowest task on. */
function fromLowestTask({ task }: Causality, events: readonly EventId[]): EventId[] {
  let first = 0
  for (let i = 1; i < events.length; i++) if (task[events[i]!]! < task[events[first]!]!) first = i
  return [...events.slice(first), ...events.slice(0, first)]
}

function* lostWakeUps(causality: Causality, must: MustOrder): Iterable<Group> {
  const { trace } = causality
  const bySite = new Map<string, EventId[]>()
  for (const wake of causality.wakes.events) {
    if (causality.waitStart(wake) === NONE) continue
    const key = `${trace.tables.signals.at(trace.target[wake]!)}@${trace.site[wake]}`
    const same = bySite.get(key)
    if (same) same.push(wake)
    else bySite.set(key, [wake])
  }
  for (const [key, wakes] of bySite) {
    yield {
      kind: 'deadlock',
      key: `lost wake-up ${key}`,
      candidates: function* () {
        for (const wake of wakes) {
          const start = causality.waitStart(wake)
          const notifies = [...causality.notifies.of(trace.target[wake]!)].filter((n) => !must.before(wake, n))
          if (notifies.length === 0) continue
          const before = notifies.map((n) => [n, start] as const)
          yield { ...noDemands, kind: 'deadlock', pattern: 'lost wake-up', events: [...notifies, wake], next: [wake], before }
        }
      },
    }
  }
}
