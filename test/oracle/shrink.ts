/**
 * Makes a failing trace small: takes away tasks, then pairs and single events, as long as it still fails and stays a run (what it
 * replayed under before, it still replays under). The rest is printed in columns, to become a litmus test.
 */
import { TraceBuilder } from '../../src/trace/builder.ts'
import {
  ATOMIC_BEGIN,
  ATOMIC_END,
  ENTER,
  EXIT,
  FORK,
  JOIN,
  UPDATE,
  WAKE,
  isAcquire,
  isRead,
  isRelease,
  isWrite,
} from '../../src/trace/ops.ts'
import { drawTrace } from '../../src/trace/text.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../../src/trace/trace.ts'
import { isReadHalf } from '../../src/trace/updates.ts'
import { MODELS, type Model } from '../../src/trace/model.ts'
import { replays } from './enumerate.ts'

/** `idOf` gives the number that an event of the first trace has in `smaller`, NONE when it is gone: for demands that must stay the same. */
export type StillFails = (smaller: Trace, idOf: (first: EventId) => EventId) => boolean | Promise<boolean>

export async function shrink(first: Trace, stillFails: StillFails): Promise<Trace> {
  const models = first.facts.order === 'global' ? MODELS.filter((m) => replays(first, m, first.recordedOrder()).ok) : []
  let kept = Array.from({ length: first.eventCount }, (_, e) => e)
  let trace = first
  const attempt = async (gone: ReadonlySet<EventId>): Promise<boolean> => {
    const rest = kept.filter((e) => !gone.has(e))
    if (rest.length === kept.length) return false
    const smaller = restrict(first, rest)
    if (halfUpdate(smaller)) return false
    if (!isRun(smaller, models) || unmatchedReleases(smaller) > unmatchedReleases(first)) return false
    const place = new Map(rest.map((e, i) => [e, i]))
    if (!(await stillFails(smaller, (e) => place.get(e) ?? NONE))) return false
    kept = rest
    trace = smaller
    return true
  }
  for (let progress = true; progress;) {
    progress = false
    // Numbers change with each success, so the groups are found anew; first the large ones.
    for (let g = 0, groups = removable(trace); g < groups.length;) {
      const gone = new Set(groups[g]!.map((e) => kept[e]!))
      if (await attempt(gone)) {
        progress = true
        groups = removable(trace)
        g = 0
      } else g++
    }
  }
  return trace
}

/** The trace with only these events (in number order); names keep their numbers. */
export function restrict(trace: Trace, events: readonly EventId[]): Trace {
  const builder = new TraceBuilder()
  const { tables } = trace
  for (const name of tables.tasks) builder.task(name)
  for (const key of ['locations', 'locks', 'signals', 'queues', 'names', 'sites'] as const)
    for (const name of tables[key]) builder[key].push(name)
  for (const name of tables.values.table) builder.values.table.push(name)
  for (const e of events) {
    builder.add(trace.taskOf(e), trace.op[e]!, trace.target[e]!, trace.value[e]!, trace.site[e]!, trace.stamp[e]!)
  }
  const { source, order, branches } = trace.facts
  return builder.finish({ source, order, branches })
}

/** Sets of events worth taking away together, large ones first. */
function removable(trace: Trace): EventId[][] {
  const groups: EventId[][] = []
  for (let t = 0; t < trace.taskCount; t++) groups.push(taskGroup(trace, t))
  for (let e = 0; e < trace.eventCount; e++) groups.push(...pairsAt(trace, e))
  for (let e = trace.eventCount - 1; e >= 0; e--) groups.push([e])
  return groups
}

/** A task, the tasks it forks, and the forks and joins of all of these. */
function taskGroup(trace: Trace, root: TaskId): EventId[] {
  const tasks = new Set([root])
  const gone = new Set<EventId>()
  for (const t of tasks) {
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
      gone.add(e)
      if (trace.op[e] === FORK) tasks.add(trace.target[e]!)
    }
  }
  for (let e = 0; e < trace.eventCount; e++) {
    if ((trace.op[e] === FORK || trace.op[e] === JOIN) && tasks.has(trace.target[e]!)) gone.add(e)
  }
  return [...gone]
}

/** The groups that begin with e: acquire and release, enter and exit, a wait, a write and all that saw it. */
function pairsAt(trace: Trace, e: EventId): EventId[][] {
  const op = trace.op[e]!
  const task = trace.taskOf(e)
  const end = trace.taskStart[task + 1]!
  if (isAcquire(op)) return matched(trace, e, end, isAcquire, isRelease)
  if (op === ENTER)
    return matched(
      trace,
      e,
      end,
      (o) => o === ENTER,
      (o) => o === EXIT,
    )
  if (op === ATOMIC_BEGIN)
    return matched(
      trace,
      e,
      end,
      (o) => o === ATOMIC_BEGIN,
      (o) => o === ATOMIC_END,
    )
  if (isRelease(op) && e + 2 < end && trace.op[e + 1] === WAKE) return [[e, e + 1, e + 2]]
  if (isReadHalf(trace, e)) return [[e, e + 1]]
  if (op === UPDATE && trace.facts.order === 'global') return [[e - 1, e, ...readersOf(trace, e)]]
  if (isWrite(op) && trace.facts.order === 'global') return [[e, ...readersOf(trace, e)]]
  return []
}

function matched(trace: Trace, e: EventId, end: EventId, opens: (op: number) => boolean, closes: (op: number) => boolean): EventId[][] {
  let depth = 0
  for (let i = e; i < end; i++) {
    if (trace.target[i] !== trace.target[e]) continue
    if (opens(trace.op[i]!)) depth++
    if (closes(trace.op[i]!) && --depth === 0) return [[e, i]]
  }
  return []
}

function readersOf(trace: Trace, w: EventId): EventId[] {
  const order = [...trace.recordedOrder()]
  const later = order.slice(order.indexOf(w) + 1).filter((e) => trace.target[e] === trace.target[w])
  const next = later.findIndex((e) => isWrite(trace.op[e]!))
  return later.slice(0, next < 0 ? later.length : next).filter((e) => isRead(trace.op[e]!))
}

/** Is there an update without its read half? */
function halfUpdate(trace: Trace): boolean {
  for (let t = 0; t < trace.taskCount; t++) {
    const start = trace.taskStart[t]!
    for (let e = start; e < trace.taskStart[t + 1]!; e++)
      if (trace.op[e] === UPDATE && (e === start || !isReadHalf(trace, e - 1) || trace.target[e] !== trace.target[e - 1])) return true
  }
  return false
}

function isRun(trace: Trace, models: readonly Model[]): boolean {
  return models.every((m) => replays(trace, m, trace.recordedOrder()).ok)
}

function unmatchedReleases(trace: Trace): number {
  let count = 0
  for (let t = 0; t < trace.taskCount; t++) {
    const depth = new Map<number, number>()
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
      const lock = trace.target[e]!
      if (isAcquire(trace.op[e]!)) depth.set(lock, (depth.get(lock) ?? 0) + 1)
      if (!isRelease(trace.op[e]!)) continue
      if ((depth.get(lock) ?? 0) === 0) count++
      else depth.set(lock, depth.get(lock)! - 1)
    }
  }
  return count
}

/** Columns by task with the numbers of the events, and below them the text notation, to paste. */
export function showTrace(trace: Trace): string {
  const tasks = Array.from({ length: trace.taskCount }, (_, t) => t).filter((t) => trace.taskStart[t + 1]! > trace.taskStart[t]!)
  const text = (e: EventId): string => `${e}: ${trace.eventText(e)}`
  const width = tasks.map((t) => {
    let widest = trace.taskName(t).length
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) widest = Math.max(widest, text(e).length)
    return widest
  })
  const row = (cell: (t: TaskId) => string): string =>
    tasks
      .map((t, i) => cell(t).padEnd(width[i]!))
      .join(' | ')
      .trimEnd()
  const rows = [...trace.recordedOrder()].map((e) => row((t) => (t === trace.taskOf(e) ? text(e) : '')))
  const facts = `order ${trace.facts.order}, branches ${trace.facts.branches ? 'recorded' : 'not recorded'}`
  return [facts, row((t) => trace.taskName(t)), ...rows, '', drawTrace(trace, { sites: false })].join('\n')
}
