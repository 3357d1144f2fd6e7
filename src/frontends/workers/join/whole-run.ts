/**
 * From joined columns to a trace that is a run. The last steps of a terminated thread are lost, and others may have seen them. What cannot be
 * explained without them, and all that came later, is left out, and a note says so.
 */
import { cutTasks } from '../../../trace/cut.ts'
import { firstContradiction } from '../../../trace/check-values.ts'
import { JOIN } from '../../../trace/ops.ts'
import { Trace, type TraceColumns, type TraceTables } from '../../../trace/trace.ts'
import { validate } from '../../../trace/validate.ts'
import { WORKERS } from '../vocabulary.ts'
import type { Joined } from '../../../trace/joined.ts'
import { matchWakes } from '../../../trace/wakes.ts'

export function wholeRun(
  joined: TraceColumns,
  tables: TraceTables,
  joinedSteps: Int32Array,
  count: Int32Array,
  files: readonly Trace[],
  source: string,
): Joined {
  const notes: string[] = []
  let columns = joined
  let stepOf = joinedSteps
  const make = (): Trace =>
    new Trace(columns, tables, {
      source,
      order: 'global',
      branches: false,
      truncated: notes.length === 0 ? undefined : notes.map((note) => note.replace(/\.$/, '')).join('. '),
    })
  const keep = (ends: Int32Array): void => {
    stepOf = cutSteps(stepOf, columns.taskStart, ends)
    columns = cutTasks(columns, ends, ends.length, undefined)
  }

  const short = files.filter((file) => file.facts.truncated !== undefined).map(threadOf)
  if (short.length > 0) notes.push(`The record of ${list(short)} ends early: what was done after it is lost.`)
  const joins = endsBeforeJoins(columns)
  if (joins) {
    for (const t of joins.tasks) notes.push(`The last steps of ${tables.tasks.at(t)} are later than its end. They are left out.`)
    keep(joins.ends)
  }
  let trace = make()
  const wrong = firstOf(trace)
  if (wrong) {
    const { taskStart, stamp } = columns
    notes.push(`${wrong.sentence}. The steps in between are lost, so events from ${wrong.stamp} on are left out.`)
    keep(Int32Array.from({ length: taskStart.length - 1 }, (_, t) => firstFrom(stamp, taskStart[t]!, taskStart[t + 1]!, wrong.stamp)))
  }
  trace = make()
  return { vocabulary: WORKERS, trace: validate(trace), steps: { stepOf, count }, notes }
}

/** The earliest thing that cannot have happened as the files have it. */
function firstOf(trace: Trace): { stamp: number; sentence: string } | undefined {
  const value = firstContradiction(trace)
  const wake = trace.tables.signals.size === 0 ? undefined : matchWakes(trace, trace.recordedOrder()).unserved[0]
  if (wake !== undefined && (value === undefined || trace.stamp[wake]! < trace.stamp[value.event]!)) {
    const sentence = `${trace.taskName(trace.taskOf(wake))} was woken by ${trace.targetName(wake)} at ${trace.stamp[wake]}, but no file says what woke it`
    return { stamp: trace.stamp[wake]!, sentence }
  }
  return value && { stamp: trace.stamp[value.event]!, sentence: value.sentence }
}

/** The name of the thread whose file it is. */
function threadOf(file: Trace): string {
  for (let t = 0; t < file.taskCount; t++) if (file.taskStart[t] !== file.taskStart[t + 1]) return file.taskName(t)
  return file.taskCount > 0 ? file.taskName(0) : file.facts.source
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** A thread that was terminated may have written a step whose time it could not tell any more: the ends without it, if there is such a one. */
function endsBeforeJoins({ op, target, stamp, taskStart }: TraceColumns): { ends: Int32Array; tasks: readonly number[] } | undefined {
  const ends = taskStart.slice(1)
  const tasks = new Set<number>()
  for (let e = 0; e < op.length; e++) {
    if (op[e] !== JOIN) continue
    const u = target[e]!
    if (ends[u]! > taskStart[u]! && stamp[ends[u]! - 1]! >= stamp[e]!) {
      ends[u] = firstFrom(stamp, taskStart[u]!, ends[u]!, stamp[e]!)
      tasks.add(u)
    }
  }
  return tasks.size === 0 ? undefined : { ends, tasks: [...tasks] }
}

/** The first of a task's events with this stamp or a later one. */
function firstFrom(stamp: Int32Array, from: number, to: number, bound: number): number {
  while (from < to) {
    const mid = (from + to) >>> 1
    if (stamp[mid]! < bound) from = mid + 1
    else to = mid
  }
  return from
}

function cutSteps(stepOf: Int32Array, taskStart: Int32Array, ends: Int32Array): Int32Array {
  let to = 0
  for (let t = 0; t < ends.length; t++) {
    stepOf.copyWithin(to, taskStart[t]!, ends[t])
    to += ends[t]! - taskStart[t]!
  }
  return stepOf.subarray(0, to)
}
