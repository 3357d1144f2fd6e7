/**
 * The other threads of a witness. A decider gives what has to run and no more, so a thread that is not involved may not even have begun. Here such
 * threads run as far as they had come in the recorded run. Then the replay differs from it only in what was asked for.
 */
import type { EventId, Trace } from '../../trace/trace.ts'
import type { Demands } from '../../witness/candidate.ts'

/** Longer orders stay as they are. */
const MOST_EVENTS = 20_000

export function withOthers(
  trace: Trace,
  stepOf: Int32Array,
  rank: Int32Array,
  demands: Demands,
  order: Int32Array,
  accepts: (order: Int32Array) => boolean,
): Int32Array {
  const until = Math.min(...demands.next.map((e) => rank[e]!))
  const asked = new Set(demands.next.map((e) => trace.taskOf(e)))
  const end = trace.taskStart.slice(0, -1)
  for (const e of order) end[trace.taskOf(e)] = e + 1
  const added: EventId[][] = []
  for (let t = 0; t < trace.taskCount; t++) {
    if (asked.has(t)) continue
    const more: EventId[] = []
    let e = end[t]!
    while (e < trace.taskStart[t + 1]! && rank[e]! < until && !demands.without.includes(e)) more.push(e++)
    // Whole steps.
    while (more.length > 0 && e < trace.taskStart[t + 1]! && stepOf[e] === stepOf[e - 1]) {
      more.pop()
      e--
    }
    if (more.length > 0) added.push(more)
  }
  if (added.length === 0 || order.length + added.flat().length > MOST_EVENTS) return order
  const after = (more: readonly EventId[]): Int32Array => Int32Array.from([...order, ...more.toSorted((a, b) => rank[a]! - rank[b]!)])
  const all = after(added.flat())
  if (accepts(all)) return all
  let best = order
  const kept: EventId[] = []
  for (const more of added) {
    const tried = after([...kept, ...more])
    if (!accepts(tried)) continue
    kept.push(...more)
    best = tried
  }
  return best
}
