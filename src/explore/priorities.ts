/**
 * Random priorities (PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): of the threads that can run, the one with the highest priority
 * does, and at a few points the running one drops below all others. Where we differ: the order is made from a known run, as far as its threads do the
 * same again, and the points are at conflicts of that run, because a switch elsewhere changes nothing.
 */
import type { Random } from '../base/random.ts'
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  BEGIN,
  END,
  FORK,
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  RELEASE,
  RELEASE_SHARED,
  WAKE,
  isRead,
  isWrite,
} from '../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'
import type { BoundTrace } from './bound-trace.ts'

/** Points at which the thread that runs drops: 1 to so many. */
const MOST_POINTS = 3

/** An order of the events of the run, in whole steps, up to where nobody can go on. */
export function byPriority({ trace, stepOf }: BoundTrace, random: Random): Int32Array {
  const priority = Array.from({ length: trace.taskCount }, () => random.next())
  const conflicts = conflictsIn(trace)
  const points = new Set(conflicts.length === 0 ? [] : Array.from({ length: 1 + random.below(MOST_POINTS) }, () => random.pick(conflicts)))
  const at = trace.taskStart.slice(0, -1)
  const world = new World(trace)
  const order: EventId[] = []
  let lowest = 0
  for (;;) {
    const ready = Array.from(at.keys()).filter((t) => at[t]! < trace.taskStart[t + 1]! && world.mayRun(t, at[t]!))
    if (ready.length === 0) return Int32Array.from(order)
    const task = ready.reduce((best, t) => (priority[t]! > priority[best]! ? t : best))
    if (points.delete(at[task]!)) {
      priority[task] = --lowest
      continue
    }
    const step = stepOf[at[task]!]
    for (; at[task]! < trace.taskStart[task + 1]! && stepOf[at[task]!] === step; at[task]!++) {
      if (!world.mayRun(task, at[task]!)) return Int32Array.from(order)
      world.run(task, at[task]!)
      order.push(at[task]!)
    }
  }
}

/** Events that touch what another task touches, too. */
function conflictsIn(trace: Trace): EventId[] {
  const owner = new Map<string, TaskId>()
  const shared = new Set<string>()
  const keyOf = (e: EventId): string | undefined => {
    const op = trace.op[e]!
    if (isRead(op) || isWrite(op)) return `x${trace.target[e]}`
    return op === ACQUIRE || op === ACQUIRE_SHARED ? `l${trace.target[e]}` : undefined
  }
  for (let e = 0; e < trace.eventCount; e++) {
    const key = keyOf(e)
    if (key === undefined) continue
    const known = owner.get(key)
    if (known === undefined) owner.set(key, trace.taskOf(e))
    else if (known !== trace.taskOf(e)) shared.add(key)
  }
  return Array.from({ length: trace.eventCount }, (_, e) => e).filter((e) => shared.has(keyOf(e) ?? ''))
}

/** Who holds what, who was made, who has ended, who was told. */
class World {
  private readonly holders = new Map<number, Map<TaskId, number>>()
  private readonly exclusive = new Map<number, TaskId>()
  private readonly made = new Set<TaskId>()
  private readonly ended = new Set<TaskId>()
  private readonly isMade: ReadonlySet<TaskId>
  /** Per signal: how many it wakes, and for good where all were told. */
  private readonly told = new Map<number, number>()

  constructor(private readonly trace: Trace) {
    const forks = new Set<TaskId>()
    for (let e = 0; e < trace.eventCount; e++) if (trace.op[e] === FORK) forks.add(trace.target[e]!)
    this.isMade = forks
  }

  mayRun(task: TaskId, e: EventId): boolean {
    const { trace } = this
    const of = trace.target[e]!
    if (e === trace.taskStart[task] && this.isMade.has(task) && !this.made.has(task)) return false
    switch (trace.op[e]) {
      case JOIN:
        return this.ended.has(of)
      case ACQUIRE:
        return [...(this.holders.get(of) ?? [])].every(([holder]) => holder === task)
      case ACQUIRE_SHARED: {
        const holder = this.exclusive.get(of)
        return holder === undefined || holder === task
      }
      case WAKE:
        return (this.told.get(of) ?? 0) > 0
      default:
        return true
    }
  }

  run(task: TaskId, e: EventId): void {
    const of = this.trace.target[e]!
    switch (this.trace.op[e]) {
      case FORK:
        this.made.add(of)
        break
      case BEGIN:
        break
      case END:
        this.ended.add(task)
        break
      case ACQUIRE:
      case ACQUIRE_SHARED:
        this.hold(of, task, 1)
        if (this.trace.op[e] === ACQUIRE) this.exclusive.set(of, task)
        break
      case RELEASE:
      case RELEASE_SHARED:
        this.hold(of, task, -1)
        break
      case NOTIFY:
        this.told.set(of, (this.told.get(of) ?? 0) + 1)
        break
      case NOTIFY_ALL:
        this.told.set(of, Infinity)
        break
      case WAKE:
        this.told.set(of, this.told.get(of)! - 1)
        break
    }
  }

  private hold(lock: number, task: TaskId, more: number): void {
    if (lock === NONE) return
    const holders = this.holders.get(lock) ?? new Map<TaskId, number>()
    this.holders.set(lock, holders)
    const depth = (holders.get(task) ?? 0) + more
    if (depth > 0) holders.set(task, depth)
    else {
      holders.delete(task)
      if (this.exclusive.get(lock) === task) this.exclusive.delete(lock)
    }
  }
}
