/** Closes the gaps in the columns of a trace whose end was lost. */
import { sharedInt32 } from '../base/grow.ts'
import type { TraceColumns } from './trace.ts'

/** Keeps of each task what lies before `filled` and, where a bound is given, has a stamp up to it. Moves events inside the columns. */
export function cutTasks(columns: TraceColumns, filled: Int32Array, taskCount: number, bound: number | undefined): TraceColumns {
  const taskStart = sharedInt32(taskCount + 1)
  let to = 0
  for (let t = 0; t < taskCount; t++) {
    const from = columns.taskStart[t]!
    let end = filled[t]!
    if (bound !== undefined) while (end > from && columns.stamp[end - 1]! > bound) end--
    for (const column of [columns.op, columns.target, columns.value, columns.site, columns.stamp]) column.copyWithin(to, from, end)
    to += end - from
    taskStart[t + 1] = to
  }
  return {
    taskStart,
    op: columns.op.subarray(0, to),
    target: columns.target.subarray(0, to),
    value: columns.value.subarray(0, to),
    site: columns.site.subarray(0, to),
    stamp: columns.stamp.subarray(0, to),
  }
}
