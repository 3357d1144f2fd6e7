/**
 * The threads of a run as exploration asks about them. In the model the last read of a task may see anything, because nothing depends on it. Here
 * every read in an order sees what it saw, so an event that binds it is put after each read. The initial values of locations, as far as some run has
 * shown them, are written before everything else. If a task did not end, the event that it waits at is put after its last event.
 */
import { readsFrom } from '../causal/reads-from.ts'
import type { Joined, Standing } from '../trace/joined.ts'
import { ACQUIRE, ATOMIC_READ, BRANCH, END, JOIN, RELEASE, UPDATE, WAKE, WRITE, isRead, isWrite } from '../trace/ops.ts'
import { NONE, Trace, type EventId, type TaskId } from '../trace/trace.ts'
import { NOT_OBSERVED, parseValue } from '../trace/values.ts'

export class BoundTrace {
  readonly trace: Trace
  readonly stepOf: Int32Array
  /** Where an event of the recorded trace stands here. */
  readonly at: Int32Array
  /** Per task: the first event of what it stands before, or NONE. */
  readonly standing: Int32Array

  /** `start`: what locations start with, by name. */
  constructor(recorded: Joined, start: ReadonlyMap<string, string>) {
    const { trace: from, steps, stands = [] } = recorded
    const n = from.eventCount
    const first = n === 0 ? 0 : from.taskOf(from.recordedOrder()[0]!)
    const writes = startingWrites(from, start)
    const ends = standingEvents(from, stands)
    const half = (e: EventId): boolean => from.op[e] === ATOMIC_READ && from.op[e + 1] === UPDATE && from.taskOf(e) === from.taskOf(e + 1)
    const isBound = (e: EventId): boolean => isRead(from.op[e]!) && !half(e)
    let size = n + writes.length
    for (let e = 0; e < n; e++) if (isBound(e)) size++
    for (const events of ends) size += events.length
    const taskStart = new Int32Array(from.taskCount + 1)
    const op = new Uint8Array(size)
    const [target, site, stamp] = [new Int32Array(size).fill(NONE), new Int32Array(size).fill(NONE), new Int32Array(size)]
    const value = new Int32Array(size).fill(NOT_OBSERVED)
    this.stepOf = new Int32Array(size)
    this.at = new Int32Array(n)
    this.standing = new Int32Array(from.taskCount).fill(NONE)
    const rank = new Int32Array(n)
    from.recordedOrder().forEach((e, i) => (rank[e] = i))
    let filled = 0
    const add = (kind: number, of: number, step: number, when: number): number => {
      op[filled] = kind
      target[filled] = of
      this.stepOf[filled] = step
      stamp[filled] = when
      return filled++
    }
    for (let t = 0; t < from.taskCount; t++) {
      taskStart[t] = filled
      const begins = steps.stepOf[from.taskStart[t]!] ?? 1
      if (t === first) for (const [i, [location, code]] of writes.entries()) value[add(WRITE, location, begins, i)] = code
      for (let e = from.taskStart[t]!; e < from.taskStart[t + 1]!; e++) {
        const when = writes.length + 2 * rank[e]!
        const here = (this.at[e] = add(from.op[e]!, from.target[e]!, steps.stepOf[e]!, when))
        value[here] = from.value[e]!
        site[here] = from.site[e]!
        if (isBound(e)) add(BRANCH, NONE, steps.stepOf[e]!, when + 1)
      }
      for (const [kind, of] of ends[t]!) {
        const here = add(kind, of, steps.count[t]! + 1, writes.length + 2 * n + filled)
        if (this.standing[t] === NONE) this.standing[t] = here
      }
    }
    taskStart[from.taskCount] = filled
    this.trace = new Trace({ taskStart, op, target, value, site, stamp }, from.tables, { ...from.facts, branches: false })
  }

  /** The last event of the step of `e`. */
  endOfStep(e: EventId): EventId {
    const { trace, stepOf } = this
    const end = trace.taskStart[trace.taskOf(e) + 1]!
    while (e + 1 < end && stepOf[e + 1] === stepOf[e]) e++
    return e
  }

  beginOfStep(e: EventId): EventId {
    const { trace, stepOf } = this
    const begin = trace.taskStart[trace.taskOf(e)]!
    while (e > begin && stepOf[e - 1] === stepOf[e]) e--
    return e
  }
}

/** What reads show of where locations start: names and values. */
export function startsShown(trace: Trace): Map<string, string> {
  const writer = readsFrom(trace)
  const shown = new Map<string, string>()
  for (let e = 0; e < trace.eventCount; e++)
    if (isRead(trace.op[e]!) && writer[e] === NONE && trace.value[e] !== NOT_OBSERVED)
      shown.set(trace.targetName(e), trace.tables.values.textOf(trace.value[e]!))
  return shown
}

/** Only of what the run touches. */
function startingWrites(trace: Trace, start: ReadonlyMap<string, string>): (readonly [location: number, code: number])[] {
  const touched = new Set<number>()
  for (let e = 0; e < trace.eventCount; e++) if (isRead(trace.op[e]!) || isWrite(trace.op[e]!)) touched.add(trace.target[e]!)
  const { locations, values } = trace.tables
  return [...touched].flatMap((x) => {
    const text = start.get(locations.at(x))
    return text === undefined ? [] : [[x, values.codeOf(parseValue(text))] as const]
  })
}

/** Does the task hold the lock at its end? */
function holds(trace: Trace, task: TaskId, lock: number): boolean {
  let depth = 0
  for (let e = trace.taskStart[task]!; e < trace.taskStart[task + 1]!; e++) {
    if (trace.target[e] !== lock) continue
    if (trace.op[e] === ACQUIRE) depth++
    if (trace.op[e] === RELEASE) depth--
  }
  return depth > 0
}

/** Per task. What has to be there for it to go on is kept; all else is just a step. */
function standingEvents(trace: Trace, stands: readonly Standing[]): (readonly (readonly [op: number, target: number])[])[] {
  const { tasks, locks, signals } = trace.tables
  const ended = (t: TaskId): boolean => trace.taskStart[t + 1]! > trace.taskStart[t]! && trace.op[trace.taskStart[t + 1]! - 1] === END
  return Array.from({ length: trace.taskCount }, (_, t) => {
    const standing = stands.find(({ task }) => task === trace.taskName(t))
    if (!standing) return []
    const waitsFor = standing.events.find(([op]) => op === JOIN)?.[1]
    if (waitsFor !== undefined && !ended(tasks.find(waitsFor))) return []
    // A lock that it holds itself it never gets.
    if (standing.events.some(([op, name = '']) => op === ACQUIRE && holds(trace, t, locks.find(name)))) return []
    return standing.events.map(([op, name = '']) => {
      if (op === ACQUIRE) return [op, locks.intern(name)] as const
      if (op === WAKE) return [op, signals.intern(name)] as const
      if (op === JOIN) return [op, tasks.find(name)] as const
      return [BRANCH, NONE] as const
    })
  })
}
