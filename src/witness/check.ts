/**
 * The independent checker: walks a witness event by event and says whether it keeps every rule of docs/model.md. It shares no code with
 * the deciders (this folder imports neither solve, causal nor predict), so that a mistake there cannot hide here. Read it beside the
 * rules; it is meant to be believed by reading.
 */
import { ACQUIRE, ACQUIRE_SHARED, FORK, JOIN, NOTIFY, NOTIFY_ALL, OPS, READ, RELEASE, RELEASE_SHARED, WAKE, WRITE } from '../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'
import { NOT_OBSERVED } from '../trace/values.ts'
import type { Demands, Model } from './candidate.ts'

/** Why a witness was refused. */
export interface Refusal {
  readonly rule: 'prefix' | 'fork' | 'join' | 'lock' | 'wait' | 'read' | 'demand'
  readonly event: EventId
  readonly sentence: string
}

const UNKNOWN = -2

export class Checker {
  private readonly task: Int32Array
  private readonly forkOf: Int32Array
  private readonly joinsOf: EventId[][]
  /** Per read: the write it saw in the recorded run, NONE for the initial value. */
  private readonly recordedWriter: Int32Array
  /** Per location: the value code it starts with, or UNKNOWN. */
  private readonly initial: Int32Array

  constructor(
    private readonly trace: Trace,
    private readonly model: Model,
  ) {
    const n = trace.eventCount
    this.task = new Int32Array(n)
    for (let t = 0; t < trace.taskCount; t++) this.task.fill(t, trace.taskStart[t], trace.taskStart[t + 1])
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
    const lastWrite = new Int32Array(trace.tables.locations.size).fill(NONE)
    const locks = new LockTable(trace.taskCount)

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
        case WAKE:
          if (!served.has(e)) return refuse('wait', e, 'wakes without a notify of its own')
          break
        case READ:
          if (this.binds(e, t, planned, demands) && !this.seesRightly(e, lastWrite[target]!))
            return refuse('read', e, 'sees another write than the model allows')
          break
        case WRITE:
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
    return undefined
  }

  /** Does the first dependent event after the read run, or stand next? If none follows in its task: is the task joined? */
  private binds(read: EventId, t: TaskId, planned: Int32Array, demands: Demands): boolean {
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

  private seesRightly(read: EventId, seen: EventId): boolean {
    const { trace } = this
    if (this.model === 'sync') return true
    const global = trace.facts.order === 'global'
    if (global && seen === this.recordedWriter[read]) return true
    if (this.model === 'data') return false
    const value = trace.value[read]!
    if (value === NOT_OBSERVED) return !global
    return value === (seen === NONE ? this.initial[trace.target[read]!] : trace.value[seen])
  }

  /**
   * Serves each notify to the waiting task whose wake comes first in the order, which leaves the others the most room: if any matching
   * exists, this one does. Gives the wakes that were served.
   */
  private matchNotifies(order: Int32Array): Set<EventId> {
    const { trace, task } = this
    const served = new Set<EventId>()
    const waiting = new Map<number, EventId[]>() // per signal, in the order of their wakes
    const wakes = order.filter((e) => trace.op[e] === WAKE)
    if (wakes.length === 0) return served
    const startsAt = new Map<EventId, EventId[]>() // release → wakes that start waiting there
    const list = (signal: number): EventId[] => {
      let l = waiting.get(signal)
      if (!l) waiting.set(signal, (l = []))
      return l
    }
    const rank = new Map<EventId, number>()
    wakes.forEach((w, i) => {
      rank.set(w, i)
      const before = w - 1
      const op = before >= trace.taskStart[task[w]!]! ? trace.op[before]! : NONE
      if (op === RELEASE || op === RELEASE_SHARED) startsAt.set(before, [...(startsAt.get(before) ?? []), w])
      else list(trace.target[w]!).push(w)
    })
    for (const e of order) {
      for (const w of startsAt.get(e) ?? []) {
        const l = list(trace.target[w]!)
        l.push(w)
        l.sort((a, b) => rank.get(a)! - rank.get(b)!)
      }
      const op = trace.op[e]
      if (op === NOTIFY) {
        const w = list(trace.target[e]!).shift()
        if (w !== undefined) served.add(w)
      } else if (op === NOTIFY_ALL) {
        for (const w of list(trace.target[e]!).splice(0)) served.add(w)
      } else if (op === WAKE && !served.has(e)) {
        return served // it runs unserved; the walk refuses it
      }
    }
    return served
  }

  private readRecordedOrder(): void {
    const { trace, recordedWriter, initial } = this
    const last = new Int32Array(trace.tables.locations.size).fill(NONE)
    for (const e of trace.recordedOrder()) {
      const x = trace.target[e]!
      if (trace.op[e] === WRITE) last[x] = e
      else if (trace.op[e] === READ) {
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
      if (trace.op[e] !== WRITE) continue
      const x = trace.target[e]!
      if (!written.has(x)) written.set(x, new Set())
      written.get(x)!.add(trace.value[e]!)
    }
    for (let e = 0; e < trace.eventCount; e++) {
      const x = trace.target[e]!
      const value = trace.value[e]!
      if (trace.op[e] === READ && value !== NOT_OBSERVED && initial[x] === UNKNOWN && !written.get(x)?.has(value)) initial[x] = value
    }
  }
}

/** Who holds what: an exclusive owner, and a count per task of shared holds. Depths make locks re-entrant. */
class LockTable {
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
