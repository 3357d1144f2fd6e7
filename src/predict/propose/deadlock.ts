/**
 * Deadlocks (seed 003): a cycle of tasks that each hold a lock the next one wants, for any number of tasks. Held sets must not exclude each
 * other: a cycle inside a common outer lock cannot close. Also lost wake-ups: a task that starts to wait after every notify has come.
 *
 * Acquires with the same task, wanted lock and held locks are one dependency, so cycles are searched among few dependencies and only then
 * spelled out in events.
 */
import { ACQUIRE } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import type { Locksets } from '../../causal/locksets.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Candidate } from '../../witness/candidate.ts'
import { noDemands, type Group, type RuledOut } from './group.ts'

interface Dependency {
  readonly task: TaskId
  readonly lock: number
  readonly exclusive: boolean
  readonly site: number
  readonly lockset: number
  /** lock × 2 + exclusive, of what is held. */
  readonly held: readonly number[]
  readonly events: EventId[]
}

/** Cycles, and steps in search of them, before a trace with very many is given up on; `onCut` is told. */
const MOST_CYCLES = 100_000
const MOST_STEPS = 5_000_000

export function* deadlocks(causality: Causality, must: MustOrder, locksets: Locksets, onCut: () => void): Iterable<Group> {
  const { trace } = causality
  const dependencies = findDependencies(causality, locksets)
  const causes = new Map<string, Dependency[][]>()
  let cycles = 0
  for (const cycle of findCycles(dependencies, locksets)) {
    if (cycle === undefined || ++cycles > MOST_CYCLES) {
      onCut()
      break
    }
    const key = cycle
      .map((d) => `${trace.tables.locks.at(d.lock)}@${d.site}`)
      .sort()
      .join(' ')
    const same = causes.get(key)
    if (same) same.push(cycle)
    else causes.set(key, [cycle])
  }
  for (const [key, same] of causes) {
    yield {
      kind: 'deadlock',
      key: `deadlock ${key}`,
      candidates: function* (ruledOut) {
        for (const cycle of same) yield* spellOut(must, cycle, ruledOut)
      },
    }
  }
  yield* lostWakeUps(causality, must)
}

function findDependencies(causality: Causality, locksets: Locksets): Dependency[] {
  const { trace, sections } = causality
  const found = new Map<string, Dependency>()
  for (let s = 0; s < sections.count; s++) {
    const event = sections.acquire[s]!
    const task = sections.task[s]!
    const head = sections.headBefore(event, task)
    if (head === NONE) continue
    const lockset = locksets.of(head)
    const lock = sections.lock[s]!
    const exclusive = trace.op[event] === ACQUIRE
    const key = `${task} ${lock} ${exclusive} ${lockset} ${trace.site[event]}`
    const known = found.get(key)
    if (known) known.events.push(event)
    else {
      const held = locksets.members(lockset)
      found.set(key, { task, lock, exclusive, site: trace.site[event]!, lockset, held, events: [event] })
    }
  }
  return [...found.values()]
}

/** Does `owner` hold what `wanter` waits for? */
const blocks = (owner: Dependency, wanter: Dependency): boolean =>
  owner.held.some((h) => h >> 1 === wanter.lock && ((h & 1) === 1 || wanter.exclusive))

/**
 * Every cycle once: it starts at its lowest task. Short ones first, so that a trace with too many to look at all of them (in which case the
 * last thing said is undefined) shows those that are easiest to come by.
 */
function* findCycles(dependencies: readonly Dependency[], locksets: Locksets): Iterable<Dependency[] | undefined> {
  const holders = new Map<number, Dependency[]>() // by held lock
  for (const d of dependencies) {
    for (const h of new Set(d.held.map((x) => x >> 1))) {
      const list = holders.get(h)
      if (list) list.push(d)
      else holders.set(h, [d])
    }
  }
  const path: Dependency[] = []
  let steps = 0
  let length = 2
  let longer = true // is there a path that is cut short by `length`?
  function* extend(): Iterable<Dependency[]> {
    const wanter = path.at(-1)!
    const first = path[0]!
    if (path.length === length) {
      if (blocks(first, wanter)) yield [...path]
      longer = true
      return
    }
    for (const next of holders.get(wanter.lock) ?? []) {
      if (++steps > MOST_STEPS) return
      if (next.task <= first.task || !blocks(next, wanter)) continue
      if (path.some((d) => d.task === next.task || locksets.exclude(d.lockset, next.lockset))) continue
      path.push(next)
      yield* extend()
      path.pop()
    }
  }
  for (; longer; length++) {
    longer = false
    for (const d of dependencies) {
      path.length = 0
      path.push(d)
      yield* extend()
      if (steps > MOST_STEPS) return yield undefined
    }
  }
}

/** All choices of one event per dependency that must-order leaves unordered. */
function* spellOut(must: MustOrder, cycle: readonly Dependency[], ruledOut: RuledOut): Iterable<Candidate> {
  const chosen: EventId[] = []
  function* choose(): Iterable<Candidate> {
    if (chosen.length === cycle.length) {
      yield { ...noDemands, kind: 'deadlock', pattern: 'cycle', events: [...chosen], next: [...chosen] }
      return
    }
    for (const event of cycle[chosen.length]!.events) {
      if (chosen.some((other) => must.before(other, event) || must.before(event, other))) {
        ruledOut.mustOrder += cycle.slice(chosen.length + 1).reduce((n, { events }) => n * events.length, 1)
        continue
      }
      chosen.push(event)
      yield* choose()
      chosen.pop()
    }
  }
  yield* choose()
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
