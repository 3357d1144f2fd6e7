/**
 * Deadlocks (seed 003): a cycle of tasks that each hold a lock the next one wants, for any number of tasks. Held sets must not exclude each
 * other: a cycle inside a common outer lock cannot close. Also lost wake-ups: a task that starts to wait after every notify has come.
 *
 * Cycles are searched among abstract acquisitions (acquisitions.ts); tasks, and then events, are chosen only for a cycle that is looked at. A path is followed
 * only through acquisitions that must-order lets meet, and its last step only to those that close it.
 */
import { components } from '../../base/components.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import type { Locksets } from '../../causal/locksets.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Candidate } from '../../witness/candidate.ts'
import { freeWindow } from './accesses.ts'
import { meet, Waits, type Acquisition, type Member } from './acquisitions.ts'
import { noDemands, noneRuledOut, proposal, type Group, type RuledOut } from './group.ts'
import { freeWindows, type Side, type Windows } from './windows.ts'

/**
 * Longer cycles are looked for as long as there are not more of the shorter ones than acquisitions to make them of (or than this): where locks are taken in any
 * order each length has several times as many as the one before. `onCut` is told.
 */
const ALWAYS_CYCLES = 1000
/** Steps in search of them: at least so many, and so many for each acquisition. */
const LEAST_STEPS = 1_000_000
const STEPS_EACH = 200
/** How far from the first acquisition it is known how far away one is. */
const RADIUS = 3
/** The candidates of a cause are counted up to so many, and those of longer cycles in so many windows. */
const COUNT_AT_MOST = 100_000
const MOST_WINDOWS = 1000

export function* deadlocks(causality: Causality, must: MustOrder, locksets: Locksets, onCut: () => void): Iterable<Group> {
  const { trace } = causality
  const waits = new Waits(causality, must, locksets)
  const causes = new Map<string, Acquisition[][]>()
  for (const cycle of findCycles(waits, trace.taskCount)) {
    if (cycle === undefined) {
      onCut()
      break
    }
    if (cycle.length > 2 && windowsOf(causality, must, cycle, noneRuledOut())[Symbol.iterator]().next().done) continue
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
      open: (ruledOut) => countOpen(causality, must, same, ruledOut),
    }
  }
  yield* lostWakeUps(causality, must)
}

/**
 * Every cycle once: of its rotations the one with the smallest numbers. Short ones first, so that a trace with too many to look at all of them (in which case
 * the last thing said is undefined) shows those that are easiest to come by.
 */
function* findCycles(waits: Waits, tasks: number): Iterable<Acquisition[] | undefined> {
  const most = Math.max(ALWAYS_CYCLES, waits.acquisitions.length)
  const back = new WaysBack(waits)
  let cycles = 0
  // Up to three acquisitions, up to six, and so on: going through the shorter ones again costs little, and a trace with too many shows the short ones.
  for (let shortest = 2, longest = 3, longer = true; longer && shortest <= tasks; [shortest, longest] = [longest + 1, 2 * longest]) {
    if (cycles > most) return yield undefined
    longer = false // is there a path that is cut short?
    const mostSteps = Math.min(longest, tasks)
    let stepsLeft = LEAST_STEPS + STEPS_EACH * waits.acquisitions.length
    const found: Acquisition[][] = []
    const path: Acquisition[] = []
    const extend = (next: Acquisition): void => {
      path.push(next)
      if (path.length >= shortest && back.closes(next) && isLeastRotation(path)) found.push([...path])
      for (const list of waits.heldBy(next).values()) follow(list)
      path.pop()
    }
    /** The last of the path wants what it holds, so it can be with that one; what about those before? */
    const canBeWithOthers = (next: Acquisition): boolean => {
      for (let i = 0; i < path.length - 1; i++) if (!waits.canBeBoth(path[i]!, next)) return false
      return true
    }
    const follow = (list: readonly Acquisition[]): void => {
      for (let i = 0; i < list.length; i++) {
        const next = list[i]!
        if (!back.leads(next)) continue
        if (--stepsLeft < 0) return
        if (back.within(next, mostSteps - path.length)) {
          if (canBeWithOthers(next)) extend(next)
        } else if (!longer && longest < tasks) longer = canBeWithOthers(next)
      }
    }
    for (const first of waits.acquisitions) {
      if (!back.to(first)) continue
      extend(first)
      if (stepsLeft < 0) break
    }
    yield* found.sort((x, y) => x.length - y.length)
    if (stepsLeft < 0) return yield undefined
    cycles += found.length
  }
}

/** How near an acquisition is to the one that a path begins with: who is too far away is not followed. */
class WaysBack {
  /** By acquisition: what can be on one cycle with it, whatever is on it twice. */
  private readonly component: Int32Array
  /** By acquisition: the stamp of the last path that it is near to the first one of, and how many steps it takes. */
  private readonly near: Int32Array
  private stamp = 0
  private first = 0

  constructor(private readonly waits: Waits) {
    const { acquisitions } = waits
    this.near = new Int32Array(acquisitions.length)
    const previous = acquisitions.map((one) => waits.wantedFrom(one).map(({ number }) => number))
    this.component = components(acquisitions.length, (n) => previous[n]!)
  }

  /** From now on the path begins with this one. False where no cycle does. */
  to(first: Acquisition): boolean {
    this.first = first.number
    const stamp = (this.stamp += RADIUS + 1)
    let ring: readonly Acquisition[] = [first]
    for (let steps = 1; steps <= RADIUS && ring.length > 0; steps++) {
      const wider: Acquisition[] = []
      for (const one of ring) {
        for (const wanter of this.waits.wantedFrom(one)) {
          if (this.near[wanter.number]! >= stamp || !this.leads(wanter)) continue
          this.near[wanter.number] = stamp + steps
          wider.push(wanter)
        }
      }
      if (steps === 1 && wider.length === 0) return false
      ring = wider
    }
    return true
  }

  /** Cycles are said from their smallest number on. */
  leads({ number }: Acquisition): boolean {
    return number >= this.first && this.component[number] === this.component[this.first]
  }

  closes({ number }: Acquisition): boolean {
    return this.near[number] === this.stamp + 1
  }

  /** Is it at most so many steps away, as far as is known? */
  within({ number }: Acquisition, steps: number): boolean {
    if (steps > RADIUS) return true
    const away = this.near[number]! - this.stamp
    return away > 0 && away <= steps
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

/** All choices of one event of each acquisition, of different tasks, that must-order leaves unordered. */
function* spellOut(causality: Causality, must: MustOrder, cycle: readonly Acquisition[], ruledOut: RuledOut): Iterable<Candidate> {
  for (const { chosen, last, from, to } of windowsOf(causality, must, cycle, ruledOut)) {
    for (let i = from; i < to; i++) {
      const events = fromLowestTask(causality, [...chosen, last[i]!])
      yield proposal('deadlock', 'cycle', events, { ...noDemands, next: events })
    }
  }
}

/** What is chosen of all acquisitions but the last, and the events of that one from `from` up to `to`. */
interface Window {
  readonly chosen: readonly EventId[]
  readonly last: Int32Array
  readonly from: number
  readonly to: number
}

function countOpen(
  causality: Causality,
  must: MustOrder,
  cycles: readonly Acquisition[][],
  ruledOut: RuledOut,
): ReturnType<NonNullable<Group['open']>> {
  let open = 0
  let windows = 0
  for (const cycle of cycles) {
    if (cycle.length === 2) {
      for (const pair of pairsOf(causality, must, cycle, ruledOut))
        if ((open += pair.open) >= COUNT_AT_MOST) return { open, ruledOut, atLeast: true }
      continue
    }
    for (const { from, to } of windowsOf(causality, must, cycle, ruledOut)) {
      open += to - from
      if (open >= COUNT_AT_MOST || ++windows === MOST_WINDOWS) return { open, ruledOut, atLeast: true }
    }
  }
  return { open, ruledOut }
}

/** Of a cycle of two: the members of different tasks, and which of their events are free to meet. */
function* pairsOf(
  causality: Causality,
  must: MustOrder,
  cycle: readonly Acquisition[],
  ruledOut: RuledOut,
): Iterable<Windows & { readonly a: Member; readonly b: Member }> {
  const [first, second] = [cycle[0]!, cycle[1]!]
  for (const a of first.members) {
    for (const b of second.members) {
      // A cycle that is its own rotation would be met twice.
      if (a.task === b.task || (first === second && b.task < a.task)) continue
      const windows = freeWindows(causality.trace, must, sideOf(must, a), sideOf(must, b))
      ruledOut.mustOrder += a.events.length * b.events.length - windows.open
      if (windows.open > 0) yield { ...windows, a, b }
    }
  }
}

const ROWS = new WeakMap<Member, Side>()

function sideOf(must: MustOrder, member: Member): Side {
  let side = ROWS.get(member)
  if (!side) ROWS.set(member, (side = { ...member, rows: must.rowsOf(member.events) }))
  return side
}

/** Events that are free to meet what is chosen already are neighbours. */
function* windowsOf(causality: Causality, must: MustOrder, cycle: readonly Acquisition[], ruledOut: RuledOut): Iterable<Window> {
  if (cycle.length === 2) {
    for (const { a, b, from, to } of pairsOf(causality, must, cycle, ruledOut))
      for (let i = 0; i < from.length; i++)
        if (to[i]! > from[i]!) yield { chosen: [a.events[i]!], last: b.events, from: from[i]!, to: to[i]! }
    return
  }
  const members: Member[] = []
  const chosen: EventId[] = []
  const period = periodOf(cycle)
  function* chooseTasks(): Iterable<Window> {
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
  function* chooseEvents(): Iterable<Window> {
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
    if (chosen.length === cycle.length - 1) {
      if (to > from) yield { chosen, last: own.events, from, to }
      return
    }
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
          yield proposal('deadlock', 'lost wake-up', [...notifies, wake], { ...noDemands, next: [wake], before })
        }
      },
    }
  }
}
