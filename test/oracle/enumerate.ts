/**
 * The obvious, slow decider: runs every reordering of a small trace, event by event, under the rules of docs/model.md, and remembers the
 * states it met. Shares no code with the real deciders or the checker.
 *
 * The operational reading of the two rules that look ahead or back:
 *
 * - A read may see anything, but once it saw what the model does not allow its task is *astray* and cannot pass its next dependent event;
 *   such an event cannot be `next` either, and nobody can join the task. That is "a read binds once something that can depend on it follows".
 * - The same of a try that fails where nobody else holds the lock.
 * - A notify chooses when it runs whom it serves: one task that stands between its release and its wake, or some bare wake later on, or
 *   nobody. Every matching that rule 4 could ask for is one way of choosing.
 * - A task that stands between the halves of an update when another one writes its location is *divided*: it cannot go on.
 */
import type { Random } from '../../src/base/random.ts'
import type { Demands } from '../../src/witness/candidate.ts'
import type { Model } from '../../src/trace/model.ts'
import {
  ACQUIRE,
  FORK,
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  OPS,
  RELEASE,
  TRY_FAILED,
  UPDATE,
  WAKE,
  isAccess,
  isAcquire,
  isAtomic,
  isRead,
  isRelease,
  isTry,
  isWrite,
} from '../../src/trace/ops.ts'
import { NOT_OBSERVED } from '../../src/trace/values.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../../src/trace/trace.ts'

const INITIAL = NONE
const FREE = 0
const SHARED = 1
const EXCLUSIVE = 2

const ASTRAY = 1
const SERVED = 2
const DIVIDED = 4

/** More states than this and the trace is not small: an Error rather than an afternoon. */
const MAX_STATES = 2_000_000

/**
 * A state is one row of numbers: how many events of each task ran, flags of each task, the last writer of each location, and for each
 * signal how many notifies were kept for bare wakes.
 */
type State = number[]

interface Visited {
  states: State[]
  /** The state each was first reached from, and by which event. */
  from: number[]
  by: EventId[]
  /** One state for each different (how far, who is astray): all that a demand can tell apart. */
  ends: number[]
}

export class Enumeration {
  private readonly rules: Rules
  private readonly free: Visited
  private readonly ordered = new Map<string, Visited>()

  constructor(
    readonly trace: Trace,
    readonly model: Model,
  ) {
    this.rules = new Rules(trace, model)
    this.free = visitAll(this.rules, [])
  }

  get stateCount(): number {
    return this.free.states.length
  }

  feasible(demands: Partial<Demands>): boolean {
    return this.find(demands) !== undefined
  }

  /** Some feasible reordering that meets the demands, in order. Not necessarily a short one. */
  witness(demands: Partial<Demands>): Int32Array | undefined {
    const found = this.find(demands)
    if (!found) return undefined
    const path: EventId[] = []
    for (let s = found.end; found.visited.by[s] !== NONE; s = found.visited.from[s]!) path.push(found.visited.by[s]!)
    return Int32Array.from(path.reverse())
  }

  private find(demands: Partial<Demands>): { visited: Visited; end: number } | undefined {
    const either = demands.either ?? []
    if (either.length > 0) {
      // Each way to take one pair of every clause is a question of its own.
      const [clause, ...rest] = either
      for (const [a, b] of clause!) {
        for (const way of waysToHold(demands.next ?? [], a, b)) {
          const found = this.find({
            ...demands,
            either: rest,
            before: [...(demands.before ?? []), ...(way.before ?? [])],
            include: [...(demands.include ?? []), ...(way.include ?? [])],
            without: [...(demands.without ?? []), ...(way.without ?? [])],
          })
          if (found) return found
        }
      }
      return undefined
    }
    const before = demands.before ?? []
    const visited = before.length === 0 ? this.free : this.visitedWith(before)
    const include = [...(demands.include ?? []), ...before.map(([, b]) => b)]
    const end = visited.ends.find((s) => {
      const state = visited.states[s]!
      return (
        (demands.next ?? []).every((e) => this.rules.isNext(state, e)) &&
        include.every((e) => this.rules.hasRun(state, e)) &&
        (demands.without ?? []).every((e) => !this.rules.hasRun(state, e))
      )
    })
    return end === undefined ? undefined : { visited, end }
  }

  /** a before b, both in: b may only run once a has. */
  private visitedWith(before: readonly (readonly [EventId, EventId])[]): Visited {
    const key = before.map((pair) => pair.join('<')).join(' ')
    let visited = this.ordered.get(key)
    if (!visited) {
      visited = visitAll(this.rules, before)
      this.ordered.set(key, visited)
    }
    return visited
  }
}

/** A pair of a clause as demands, one of which must be met. */
function waysToHold(next: readonly EventId[], a: EventId, b: EventId): Partial<Demands>[] {
  if (a === NONE || next.includes(a)) return [{ without: [b] }]
  return [{ before: [[a, b]] }, { include: [a], without: [b] }]
}

export function explore(trace: Trace, model: Model): Enumeration {
  return new Enumeration(trace, model)
}

/**
 * Every feasible reordering of a small trace, as far as `matters` can tell them apart: gives the events that matter in their order, and which events could come
 * next at once. Gives up (false) when there are more than `most`.
 */
export function visitRuns(
  trace: Trace,
  model: Model,
  matters: (e: EventId) => boolean,
  most: number,
  visit: (history: readonly EventId[], canBeNext: (e: EventId) => boolean) => void,
): boolean {
  const rules = new Rules(trace, model)
  const seen = new Set<string>()
  const todo: { state: State; history: readonly EventId[] }[] = [{ state: rules.start(), history: [] }]
  for (let node = todo.pop(); node; node = todo.pop()) {
    const { state, history } = node
    const key = `${keyOf(state)} ${history.join(' ')}`
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > most) return false
    visit(history, (e) => rules.isNext(state, e))
    for (const e of rules.following(state)) {
      if (!rules.canRun(state, e)) continue
      for (const next of rules.run(state, e)) todo.push({ state: next, history: matters(e) ? [...history, e] : history })
    }
  }
  return true
}

/** Does `order`, replayed from the start, break no rule? `why` says where it stops. */
export function replays(trace: Trace, model: Model, order: Iterable<EventId>): { ok: boolean; why: string } {
  const { why } = replay(new Rules(trace, model), order)
  return { ok: why === '', why }
}

/** Does `order` break no rule and meet the demands? What src/witness/check.ts should say, by other means. */
export function accepts(trace: Trace, model: Model, order: readonly EventId[], demands: Partial<Demands>): boolean {
  const rules = new Rules(trace, model)
  const { states, why } = replay(rules, order)
  if (why !== '') return false
  const place = (e: EventId): number => order.indexOf(e)
  return (
    states.some((state) => (demands.next ?? []).every((e) => rules.isNext(state, e))) &&
    (demands.include ?? []).every((e) => place(e) >= 0) &&
    (demands.without ?? []).every((e) => place(e) < 0) &&
    (demands.before ?? []).every(([a, b]) => place(a) >= 0 && place(a) < place(b)) &&
    (demands.either ?? []).every((clause) =>
      clause.some(([a, b]) => {
        if (a === NONE || demands.next?.includes(a)) return place(b) < 0
        return place(a) >= 0 && (place(b) < 0 || place(a) < place(b))
      }),
    )
  )
}

/** Some feasible reordering, of at most `length` events: one event at a time, at random. */
export function randomReordering(trace: Trace, model: Model, random: Random, length: number): EventId[] {
  const rules = new Rules(trace, model)
  const order: EventId[] = []
  let state = rules.start()
  while (order.length < length) {
    const able = rules.following(state).filter((e) => rules.canRun(state, e))
    if (able.length === 0) break
    const e = random.pick(able)
    state = random.pick(rules.run(state, e))
    order.push(e)
  }
  return order
}

/** All states after `order` (several: the ways in which the notifies may have chosen), or why there is none. */
function replay(rules: Rules, order: Iterable<EventId>): { states: State[]; why: string } {
  let states = [rules.start()]
  for (const e of order) {
    const after = new Map<string, State>()
    for (const state of states) {
      if (state[rules.task[e]!] !== rules.index[e] || !rules.canRun(state, e)) continue
      for (const next of rules.run(state, e)) after.set(keyOf(next), next)
    }
    if (after.size === 0) return { states: [], why: `${rules.trace.eventText(e)} (event ${e}) cannot run there` }
    states = [...after.values()]
  }
  return { states, why: '' }
}

/** Every unordered pair of accesses of one location by different tasks, not both reads. */
export function conflictingPairs(trace: Trace): [EventId, EventId][] {
  const pairs: [EventId, EventId][] = []
  for (let a = 0; a < trace.eventCount; a++) {
    if (!isAccess(trace.op[a]!)) continue
    for (let b = a + 1; b < trace.eventCount; b++) {
      if (!isAccess(trace.op[b]!) || trace.target[a] !== trace.target[b]) continue
      if (isRead(trace.op[a]!) && isRead(trace.op[b]!)) continue
      if (trace.taskOf(a) !== trace.taskOf(b)) pairs.push([a, b])
    }
  }
  return pairs
}

/** The conflicting pairs that can both be next, not both atomic, a < b by event number. An update is one access, and begins at its read half. */
export function allRaces(trace: Trace, model: Model, enumeration: Enumeration = explore(trace, model)): [EventId, EventId][] {
  const isHalf = (e: EventId): boolean => e + 1 < trace.eventCount && trace.op[e + 1] === UPDATE
  return conflictingPairs(trace)
    .filter(([a, b]) => !isHalf(a) && !isHalf(b) && !(isAtomic(trace.op[a]!) && isAtomic(trace.op[b]!)))
    .filter((pair) => enumeration.feasible({ next: pair.map((e) => (trace.op[e] === UPDATE ? e - 1 : e)) }))
}

const keyOf = (state: State): string => String.fromCharCode(...state.map((n) => n + 1))

function visitAll(rules: Rules, before: readonly (readonly [EventId, EventId])[]): Visited {
  const start = rules.start()
  const visited: Visited = { states: [start], from: [NONE], by: [NONE], ends: [] }
  const seen = new Set([keyOf(start)])
  const ends = new Set<string>()
  for (let s = 0; s < visited.states.length; s++) {
    const state = visited.states[s]!
    const end = rules.endKey(state)
    if (!ends.has(end)) {
      ends.add(end)
      visited.ends.push(s)
    }
    for (const e of rules.following(state)) {
      if (!rules.canRun(state, e)) continue
      if (before.some(([a, b]) => b === e && !rules.hasRun(state, a))) continue
      for (const next of rules.run(state, e)) {
        const key = keyOf(next)
        if (seen.has(key)) continue
        seen.add(key)
        visited.states.push(next)
        visited.from.push(s)
        visited.by.push(e)
      }
    }
    if (visited.states.length > MAX_STATES) throw new Error(`more than ${MAX_STATES} states: too large a trace to enumerate`)
  }
  return visited
}

class Rules {
  readonly task: TaskId[] = []
  /** Which event of its task: 0 is the first. */
  readonly index: number[] = []
  private readonly tasks: number
  private readonly locations: number
  private readonly signals: number
  private readonly length: number[] = []
  /** Per task: the events that fork it. */
  private readonly forks: EventId[][] = []
  private readonly dependent: boolean[] = []
  /** Acquires that open a section, rather than nest inside one of the same mode. */
  private readonly opens: boolean[] = []
  /** modes[task][how many events ran][lock]: FREE, SHARED or EXCLUSIVE. */
  private readonly modes: number[][][] = []
  /** Per read: the writes it may see, INITIAL among them; undefined when it is free. */
  private readonly mayStandFor: (Set<EventId> | undefined)[]
  private readonly bareWakes: boolean[] = []
  private readonly notifyAlls: EventId[][] = []
  private readonly readers: EventId[][] = []

  constructor(
    readonly trace: Trace,
    model: Model,
  ) {
    this.tasks = trace.taskCount
    this.locations = trace.tables.locations.size
    this.signals = trace.tables.signals.size
    for (let t = 0; t < this.tasks; t++) {
      this.forks.push([])
      this.length.push(trace.taskStart[t + 1]! - trace.taskStart[t]!)
    }
    for (let x = 0; x < this.locations; x++) this.readers.push([])
    for (let g = 0; g < this.signals; g++) {
      this.notifyAlls.push([])
      this.bareWakes.push(false)
    }
    for (let t = 0; t < this.tasks; t++) {
      const start = trace.taskStart[t]!
      for (let e = start; e < trace.taskStart[t + 1]!; e++) {
        const op = trace.op[e]!
        const target = trace.target[e]!
        this.task[e] = t
        this.index[e] = e - start
        this.dependent[e] = !trace.facts.branches || OPS[op]!.dependent
        if (op === FORK) this.forks[target]!.push(e)
        if (op === NOTIFY_ALL) this.notifyAlls[target]!.push(e)
        if (op === WAKE && !this.followsRelease(e)) this.bareWakes[target] = true
        if (isRead(op) && model !== 'sync') this.readers[target]!.push(e)
      }
      this.modes.push(this.lockModes(t))
    }
    this.mayStandFor = whatReadsMaySee(trace, model)
  }

  start(): State {
    return Array.from({ length: 2 * this.tasks + this.locations + this.signals }, (_, i) =>
      i >= 2 * this.tasks && i < 2 * this.tasks + this.locations ? INITIAL : 0,
    )
  }

  endKey(state: State): string {
    const parts: number[] = []
    for (let t = 0; t < this.tasks; t++) parts.push(state[t]!, state[this.tasks + t]! & ASTRAY)
    return keyOf(parts)
  }

  /** The next event of every task that has one. */
  following(state: State): EventId[] {
    const events: EventId[] = []
    for (let t = 0; t < this.tasks; t++) if (state[t]! < this.length[t]!) events.push(this.trace.taskStart[t]! + state[t]!)
    return events
  }

  hasRun(state: State, e: EventId): boolean {
    return state[this.task[e]!]! > this.index[e]!
  }

  isNext(state: State, e: EventId): boolean {
    return state[this.task[e]!] === this.index[e] && this.isForked(state, this.task[e]!) && !this.isHeldBack(state, e)
  }

  canRun(state: State, e: EventId): boolean {
    const t = this.task[e]!
    const target = this.trace.target[e]!
    if (!this.isForked(state, t) || this.isHeldBack(state, e) || (this.flags(state, t) & DIVIDED) !== 0) return false
    switch (this.trace.op[e]!) {
      case JOIN:
        return state[target] === this.length[target] && (this.flags(state, target) & ASTRAY) === 0
      case WAKE:
        return this.followsRelease(e)
          ? (this.flags(state, t) & SERVED) !== 0
          : state[this.keptAt(target)]! > 0 || this.notifyAlls[target]!.some((n) => this.hasRun(state, n))
    }
    return !this.opens[e] || this.isFree(state, t, target, this.trace.op[e] === ACQUIRE)
  }

  /** Would the task get the lock? */
  private isFree(state: State, t: TaskId, lock: number, exclusive: boolean): boolean {
    const worst = exclusive ? FREE : SHARED
    return this.modes.every((modes, other) => other === t || modes[state[other]!]![lock]! <= worst)
  }

  /** The states after e: several when it is a notify with a choice. */
  run(state: State, e: EventId): State[] {
    const t = this.task[e]!
    const target = this.trace.target[e]!
    const next = [...state]
    next[t]!++
    if (isRead(this.trace.op[e]!)) {
      const may = this.mayStandFor[e]
      if (may && !may.has(state[this.writerAt(target)]!)) next[this.tasks + t]! |= ASTRAY
      // A value nobody will read any more makes no difference.
      if (this.readers[target]!.every((r) => this.hasRun(next, r))) next[this.writerAt(target)] = INITIAL
      return [next]
    }
    if (isTry(this.trace.op[e]!)) {
      if (this.isFree(state, t, target, this.trace.op[e] === TRY_FAILED)) next[this.tasks + t]! |= ASTRAY
      return [next]
    }
    if (isWrite(this.trace.op[e]!)) {
      if (!this.readers[target]!.every((r) => this.hasRun(next, r))) next[this.writerAt(target)] = e
      for (const u of this.following(state))
        if (u !== e && this.trace.op[u] === UPDATE && this.trace.target[u] === target) next[this.tasks + this.task[u]!]! |= DIVIDED
      return [next]
    }
    switch (this.trace.op[e]!) {
      case WAKE:
        if (this.followsRelease(e)) next[this.tasks + t]! &= ~SERVED
        else if (!this.notifyAlls[target]!.some((n) => this.hasRun(state, n))) next[this.keptAt(target)]!--
        return [next]
      case NOTIFY_ALL:
        for (const waiting of this.waitingFor(state, target)) next[this.tasks + waiting]! |= SERVED
        return [next]
      case NOTIFY: {
        const choices = this.waitingFor(state, target).map((waiting) => {
          const choice = [...next]
          choice[this.tasks + waiting]! |= SERVED
          return choice
        })
        if (this.bareWakes[target]) next[this.keptAt(target)]!++
        return [next, ...choices]
      }
    }
    return [next]
  }

  private flags(state: State, t: TaskId): number {
    return state[this.tasks + t]!
  }

  private writerAt(location: number): number {
    return 2 * this.tasks + location
  }

  private keptAt(signal: number): number {
    return 2 * this.tasks + this.locations + signal
  }

  private isForked(state: State, t: TaskId): boolean {
    return this.forks[t]!.every((f) => this.hasRun(state, f))
  }

  private isHeldBack(state: State, e: EventId): boolean {
    return this.dependent[e]! && (this.flags(state, this.task[e]!) & ASTRAY) !== 0
  }

  private followsRelease(wake: EventId): boolean {
    return this.index[wake]! > 0 && isRelease(this.trace.op[wake - 1]!)
  }

  /** Tasks that stand between a release and a wake on this signal, and that no notify has served yet. */
  private waitingFor(state: State, signal: number): TaskId[] {
    return this.following(state)
      .filter((e) => this.trace.op[e] === WAKE && this.trace.target[e] === signal && this.followsRelease(e))
      .map((e) => this.task[e]!)
      .filter((t) => (this.flags(state, t) & SERVED) === 0)
  }

  private lockModes(t: TaskId): number[][] {
    const { trace } = this
    let modes = Array.from({ length: trace.tables.locks.size }, () => FREE)
    // Shared and exclusive holds are counted apart, so each opens a section of its own.
    const depths = { shared: modes.map(() => 0), exclusive: modes.map(() => 0) }
    const rows = [modes]
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
      const op = trace.op[e]!
      const lock = trace.target[e]!
      const depth = op === ACQUIRE || op === RELEASE ? depths.exclusive : depths.shared
      if (isAcquire(op)) this.opens[e] = depth[lock]!++ === 0
      else if (isRelease(op) && depth[lock]! > 0) depth[lock]!--
      if (isAcquire(op) || isRelease(op)) {
        modes = modes.with(lock, depths.exclusive[lock]! > 0 ? EXCLUSIVE : depths.shared[lock]! > 0 ? SHARED : FREE)
      }
      rows.push(modes)
    }
    return rows
  }
}

/** The table of docs/model.md, "What a read must see". */
function whatReadsMaySee(trace: Trace, model: Model): (Set<EventId> | undefined)[] {
  const may: (Set<EventId> | undefined)[] = []
  if (model === 'sync') return may
  const writes: EventId[][] = Array.from({ length: trace.tables.locations.size }, () => [])
  const reads: EventId[] = []
  for (let e = 0; e < trace.eventCount; e++) {
    if (isRead(trace.op[e]!)) reads.push(e)
    if (isWrite(trace.op[e]!)) writes[trace.target[e]!]!.push(e)
  }
  const sameValue = (r: EventId): EventId[] => writes[trace.target[r]!]!.filter((w) => trace.value[w] === trace.value[r])

  if (trace.facts.order === 'task') {
    if (model === 'data') throw new Error('the data model needs the recorded order')
    for (const r of reads) {
      if (trace.value[r] === NOT_OBSERVED) continue
      const same = sameValue(r)
      may[r] = new Set(same.length === 0 ? [INITIAL] : same)
    }
    return may
  }

  const seen: EventId[] = []
  const last = writes.map(() => INITIAL)
  const initial: (number | undefined)[] = writes.map(() => undefined)
  for (const e of trace.recordedOrder()) {
    const location = trace.target[e]!
    if (isWrite(trace.op[e]!)) last[location] = e
    if (!isRead(trace.op[e]!)) continue
    seen[e] = last[location]!
    if (seen[e] === INITIAL && trace.value[e] !== NOT_OBSERVED) initial[location] ??= trace.value[e]!
  }
  for (const r of reads) {
    const value = trace.value[r]!
    if (model === 'data' || value === NOT_OBSERVED) {
      may[r] = new Set([seen[r]!])
      continue
    }
    const allowed = new Set(sameValue(r))
    if (initial[trace.target[r]!] === value) allowed.add(INITIAL)
    allowed.add(seen[r]!)
    may[r] = allowed
  }
  return may
}
