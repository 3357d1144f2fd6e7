/**
 * The independent checker: walks a witness event by event and says whether it keeps every rule of docs/model.md. It shares no code with
 * the deciders (this folder imports neither solve, causal nor predict), so that a mistake there cannot hide here. Read it beside the
 * rules; it is meant to be believed by reading.
 */
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ATOMIC_READ,
  ATOMIC_WRITE,
  FORK,
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  OPS,
  READ,
  RELEASE,
  RELEASE_SHARED,
  TRY_FAILED,
  TRY_SHARED_FAILED,
  UPDATE,
  WAKE,
  WRITE,
} from '../trace/ops.ts'
import { NONE, type EventId, type TaskColumn, type TaskId, type Trace } from '../trace/trace.ts'
import { NOT_OBSERVED } from '../trace/values.ts'
import type { Demands } from './candidate.ts'
import type { Model } from '../trace/model.ts'

/** Why a witness was refused. */
export interface Refusal {
  readonly rule: 'prefix' | 'fork' | 'join' | 'lock' | 'wait' | 'read' | 'update' | 'try' | 'demand'
  readonly event: EventId
  readonly sentence: string
}

const UNKNOWN = -2
const NOTHING_WOKEN = new Int32Array(0)

export class Checker {
  readonly task: TaskColumn
  readonly forkOf: Int32Array
  private readonly joinsOf: EventId[][]
  /** Per read: the write it saw in the recorded run, NONE for the initial value. */
  readonly recordedWriter: Int32Array
  /** Per location: the value code it starts with, or UNKNOWN. */
  private readonly initial: Int32Array

  constructor(
    private readonly trace: Trace,
    readonly model: Model,
    /** Reads that nothing depends on, by event: they may see anything. */
    private readonly free?: Uint8Array,
  ) {
    const n = trace.eventCount
    this.task = trace.tasks()
    this.forkOf = new Int32Array(trace.taskCount).fill(NONE)
    this.joinsOf = Array.from({ length: trace.taskCount }, () => [])
    for (let e = 0; e < n; e++) {
      if (trace.op[e] === FORK) this.forkOf[trace.target[e]!] = e
      if (trace.op[e] === JOIN) this.joinsOf[trace.target[e]!]!.push(e)
    }
    this.recordedWriter = new Int32Array(n).fill(NONE)
    this.initial = new Int32Array(trace.tables.locations.size).fill(UNKNOWN)
    if (trace.facts.order === 'global') this.readRecordedOrder()
    else this.readValuesAlone()
  }

  /** undefined when the witness is good, else the first rule it breaks. */
  check(demands: Demands, order: Int32Array): Refusal | undefined {
    return this.walk(demands, order) ?? this.demanded(demands, order)
  }

  private walk(demands: Demands, order: Int32Array): Refusal | undefined {
    const { trace, task } = this
    const done = new Int32Array(trace.taskCount)
    const planned = new Int32Array(trace.taskCount)
    for (const e of order) if (e >= 0 && e < task.length) planned[task[e]!]!++
    const served = this.matchNotifies(order)
    let woken = 0
    const lastWrite = new Int32Array(trace.tables.locations.size).fill(NONE)
    const locks = new LockTable(trace.taskCount)
    /** Per task: the write that its last atomic read found in place. */
    const foundWrite = new Int32Array(trace.taskCount).fill(NONE)

    for (const e of order) {
      const t = task[e]
      if (t === undefined) return refuse('prefix', e, 'is no event of this trace')
      if (e !== trace.taskStart[t]! + done[t]!) return refuse('prefix', e, 'does not come next in its task')
      const fork = this.forkOf[t]!
      if (fork !== NONE && !isDone(fork)) return refuse('fork', e, 'runs before its task is forked')
      const target = trace.target[e]!
      switch (trace.op[e]) {
        case JOIN:
          if (done[target] !== trace.taskStart[target + 1]! - trace.taskStart[target]!)
            return refuse('join', e, 'joins a task that has not ended')
          break
        case ACQUIRE:
        case ACQUIRE_SHARED:
          if (!locks.acquire(target, t, trace.op[e] === ACQUIRE)) return refuse('lock', e, 'takes a lock that another task holds')
          break
        case RELEASE:
        case RELEASE_SHARED:
          locks.release(target, t, trace.op[e] === RELEASE)
          break
        case TRY_FAILED:
        case TRY_SHARED_FAILED:
          if (this.binds(e, t, planned, demands) && !locks.isHeldByOthers(target, t, trace.op[e] === TRY_SHARED_FAILED))
            return refuse('try', e, 'fails to take a lock that no other task holds')
          break
        case WAKE:
          if (served[woken++] === NONE) return refuse('wait', e, 'wakes without a notify of its own')
          break
        case READ:
        case ATOMIC_READ:
          foundWrite[t] = lastWrite[target]!
          if (this.binds(e, t, planned, demands) && !this.seesRightly(e, lastWrite[target]!))
            return refuse('read', e, 'sees another write than the model allows')
          break
        case UPDATE:
          // Its read half came right before it in its task, so if another write stands there now, somebody else's came in between.
          if (lastWrite[target] !== foundWrite[t])
            return refuse('update', e, 'has its read half before a write of another task, and itself after it')
          lastWrite[target] = e
          break
        case WRITE:
        case ATOMIC_WRITE:
          lastWrite[target] = e
          break
      }
      done[t]!++
    }
    return undefined

    function isDone(event: EventId): boolean {
      const t = task[event]!
      return event - trace.taskStart[t]! < done[t]!
    }
  }

  private demanded(demands: Demands, order: Int32Array): Refusal | undefined {
    const { trace, task } = this
    const planned = new Int32Array(trace.taskCount)
    for (const e of order) planned[task[e]!]!++
    const runs = (e: EventId): boolean => e - trace.taskStart[task[e]!]! < planned[task[e]!]!
    for (const e of demands.next) {
      const t = task[e]!
      if (e !== trace.taskStart[t]! + planned[t]!) return refuse('demand', e, 'is demanded next but is not')
      const fork = this.forkOf[t]!
      if (fork !== NONE && !runs(fork)) return refuse('fork', e, 'is demanded next but its task is not forked')
    }
    for (const [a, b] of demands.before) {
      const i = order.indexOf(a)
      const j = order.indexOf(b)
      if (i < 0 || j < 0 || i >= j) return refuse('demand', a, 'is demanded before another event but is not')
    }
    for (const e of demands.include) if (!runs(e)) return refuse('demand', e, 'is demanded but missing')
    for (const e of demands.without) if (runs(e)) return refuse('demand', e, 'is there though it must not be')
    return this.oneOfEach(demands, order)
  }

  /** Of each clause one pair must hold. */
  private oneOfEach({ either, next }: Demands, order: Int32Array): Refusal | undefined {
    if (either.length === 0) return undefined
    const place = new Map<EventId, number>()
    order.forEach((e, i) => place.set(e, i))
    const holds = (a: EventId, b: EventId): boolean => {
      const j = place.get(b)
      if (a === NONE || next.includes(a)) return j === undefined
      const i = place.get(a)
      return i !== undefined && (j === undefined || i < j)
    }
    for (const clause of either) {
      if (!clause.some(([a, b]) => holds(a, b))) return refuse('demand', clause[0]?.[1] ?? NONE, 'stands where nothing allowed it')
    }
    return undefined
  }

  /** Of a read or a try: does the first dependent event after it run, or stand next? If none follows in its task: is the task joined? */
  binds(read: EventId, t: TaskId, planned: Int32Array, demands: Demands): boolean {
    const { trace } = this
    const end = trace.taskStart[t + 1]!
    let f = read + 1
    if (trace.facts.branches) while (f < end && !OPS[trace.op[f]!]!.dependent) f++
    if (f < end) return f < trace.taskStart[t]! + planned[t]! || demands.next.includes(f)
    return this.joinsOf[t]!.some((join) => {
      const u = this.task[join]!
      return join < trace.taskStart[u]! + planned[u]!
    })
  }

  /** May the read see anything? */
  isFree(read: EventId): boolean {
    return this.model === 'sync' || this.free?.[read] === 1
  }

  seesRightly(read: EventId, seen: EventId): boolean {
    const { trace } = this
    if (this.isFree(read)) return true
    const global = trace.facts.order === 'global'
    if (global && seen === this.recordedWriter[read]) return true
    if (this.model === 'data') return false
    const value = trace.value[read]!
    if (value === NOT_OBSERVED) return !global
    return value === (seen === NONE ? this.initial[trace.target[read]!] : trace.value[seen])
  }

  /**
   * Serves each notify to the waiting task whose wake comes first in the order, which leaves the others the most room: if any matching
   * exists, this one does. Says of each wake, in their order, by which it was served; NONE for the first that was not and those after it.
   */
  private matchNotifies(order: Int32Array): Int32Array {
    const { trace, task } = this
    if (trace.tables.signals.size === 0) return NOTHING_WOKEN
    const wakes = order.filter((e) => trace.op[e] === WAKE)
    const served = new Int32Array(wakes.length).fill(NONE)
    if (wakes.length === 0) return served
    // Per signal, who waits, in the order of their wakes: the first, and after each one the next. Wakes go by their place among all wakes.
    const first = new Int32Array(trace.tables.signals.size).fill(NONE)
    const next = new Int32Array(wakes.length).fill(NONE)
    const wait = (wake: number): void => {
      const signal = trace.target[wakes[wake]!]!
      let before = NONE
      let after = first[signal]!
      for (; after !== NONE && after < wake; after = next[after]!) before = after
      next[wake] = after
      if (before === NONE) first[signal] = wake
      else next[before] = wake
    }
    const waitsFrom = new Map<EventId, number>() // release → wake
    for (let wake = wakes.length - 1; wake >= 0; wake--) {
      const before = wakes[wake]! - 1
      const op = before >= trace.taskStart[task[before + 1]!]! ? trace.op[before] : NONE
      if (op === RELEASE || op === RELEASE_SHARED) waitsFrom.set(before, wake)
      else wait(wake)
    }
    let woken = 0
    for (const e of order) {
      const signal = trace.target[e]!
      switch (trace.op[e]) {
        case RELEASE:
        case RELEASE_SHARED: {
          const wake = waitsFrom.get(e)
          if (wake !== undefined) wait(wake)
          waitsFrom.delete(e)
          break
        }
        case NOTIFY:
        case NOTIFY_ALL:
          while (first[signal] !== NONE) {
            served[first[signal]!] = e
            first[signal] = next[first[signal]!]!
            if (trace.op[e] === NOTIFY) break
          }
          break
        case WAKE:
          if (served[woken++] === NONE) return served // it runs unserved; the walk refuses it
          break
      }
    }
    return served
  }

  /** Which notify served each wake of the recorded run. */
  recordedNotifies(): Map<EventId, EventId> {
    const recorded = this.trace.recordedOrder()
    const served = this.matchNotifies(recorded)
    const pairs = new Map<EventId, EventId>()
    if (served.length === 0) return pairs
    for (const e of recorded) if (this.trace.op[e] === WAKE) pairs.set(e, served[pairs.size]!)
    return pairs
  }

  private readRecordedOrder(): void {
    const { trace, recordedWriter, initial } = this
    const last = new Int32Array(trace.tables.locations.size).fill(NONE)
    for (const e of trace.recordedOrder()) {
      const x = trace.target[e]!
      if (writes(trace.op[e]!)) last[x] = e
      else if (reads(trace.op[e]!)) {
        recordedWriter[e] = last[x]!
        if (last[x] === NONE && initial[x] === UNKNOWN && trace.value[e] !== NOT_OBSERVED) initial[x] = trace.value[e]!
      }
    }
  }

  /** Without a global order, a value that is read but never written is the one the location starts with. */
  private readValuesAlone(): void {
    const { trace, initial } = this
    const written = new Map<number, Set<number>>()
    for (let e = 0; e < trace.eventCount; e++) {
      if (!writes(trace.op[e]!)) continue
      const x = trace.target[e]!
      if (!written.has(x)) written.set(x, new Set())
      written.get(x)!.add(trace.value[e]!)
    }
    for (let e = 0; e < trace.eventCount; e++) {
      const x = trace.target[e]!
      const value = trace.value[e]!
      if (reads(trace.op[e]!) && value !== NOT_OBSERVED && initial[x] === UNKNOWN && !written.get(x)?.has(value)) initial[x] = value
    }
  }
}

const reads = (op: number): boolean => op === READ || op === ATOMIC_READ
const writes = (op: number): boolean => op === WRITE || op === ATOMIC_WRITE || op === UPDATE

/** Who holds what: an exclusive owner, and a count per task of shared holds. Depths make locks re-entrant. */
export class LockTable {
  private readonly owner = new Map<number, { task: TaskId; depth: number }>()
  private readonly shared = new Map<number, Map<TaskId, number>>()

  constructor(private readonly tasks: number) {}

  acquire(lock: number, task: TaskId, exclusive: boolean): boolean {
    if (task >= this.tasks) return false
    const owner = this.owner.get(lock)
    if (owner && owner.task !== task) return false
    const holders = this.shared.get(lock)
    if (exclusive) {
      if (holders) for (const other of holders.keys()) if (other !== task) return false
      if (owner) owner.depth++
      else this.owner.set(lock, { task, depth: 1 })
      return true
    }
    if (holders) holders.set(task, (holders.get(task) ?? 0) + 1)
    else this.shared.set(lock, new Map([[task, 1]]))
    return true
  }

  /** Would another task have to let go before this one gets it? */
  isHeldByOthers(lock: number, task: TaskId, shared: boolean): boolean {
    const owner = this.owner.get(lock)
    if (owner && owner.task !== task) return true
    if (!shared) for (const other of this.shared.get(lock)?.keys() ?? []) if (other !== task) return true
    return false
  }

  release(lock: number, task: TaskId, exclusive: boolean): void {
    if (exclusive) {
      const owner = this.owner.get(lock)
      if (owner && owner.task === task && --owner.depth === 0) this.owner.delete(lock)
      return
    }
    const holders = this.shared.get(lock)
    const depth = (holders?.get(task) ?? 0) - 1
    if (depth > 0) holders?.set(task, depth)
    else holders?.delete(task)
  }
}

const refuse = (rule: Refusal['rule'], event: EventId, what: string): Refusal => ({ rule, event, sentence: `event ${event} ${what}` })
