/**
 * A schedule with fewer lines is easier to read and to carry out: stretches of one thread are merged where the checker still accepts the order.
 * `simplify` does most of it, by dependences; this tries the rest, one pair after the other.
 */
import type { EventId, Trace } from '../../trace/trace.ts'

/** Longer orders stay as they are: every try is a walk through the order. */
const MOST_EVENTS = 20_000
const MOST_RUNS = 60

export function fewerLines(trace: Trace, order: Int32Array, accepts: (order: Int32Array) => boolean): Int32Array {
  let runs = runsOf(trace, order)
  if (order.length > MOST_EVENTS || runs.length > MOST_RUNS) return order
  let best = order
  for (let i = 0; i < runs.length; i++) {
    const task = trace.taskOf(runs[i]![0]!)
    const j = runs.findIndex((run, k) => k > i && trace.taskOf(run[0]!) === task)
    if (j < 0) continue
    const both = [...runs[i]!, ...runs[j]!]
    const between = runs.slice(i + 1, j)
    for (const tried of [
      [...runs.slice(0, i), ...between, both, ...runs.slice(j + 1)],
      [...runs.slice(0, i), both, ...between, ...runs.slice(j + 1)],
    ]) {
      const order = Int32Array.from(tried.flat())
      if (!accepts(order)) continue
      best = order
      runs = runsOf(trace, order)
      i = -1 // from the start: there may be more to put together now
      break
    }
  }
  return best
}

function runsOf(trace: Trace, order: Int32Array): EventId[][] {
  const runs: EventId[][] = []
  let last = -1
  for (const e of order) {
    const task = trace.taskOf(e)
    if (task === last) runs.at(-1)!.push(e)
    else runs.push([e])
    last = task
  }
  return runs
}
