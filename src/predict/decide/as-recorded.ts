/**
 * Extends an order with more of the recorded run than has to run: everything recorded before the first event that must not run or is reversed, and up
 * to the end of the sections that are open there. Such an order differs from the recorded one only at its end; the smallest feasible order may differ
 * from early on.
 */
import { NONE, type EventId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Question } from './question.ts'

/** Sections that are ended may lead into others. */
const MOST_ROUNDS = 4

/** Undefined where it is no more than `runs`, or would run what must not. `edges`: pairs of events, flat. */
export function asRecorded(
  causality: Causality,
  must: MustOrder,
  question: Question,
  runs: Int32Array,
  edges: readonly number[],
  stops: readonly EventId[],
): Int32Array | undefined {
  const { trace, rank, sections, task } = causality
  const limit = question.limit.slice()
  for (const e of stops) limit[task[e]!] = Math.min(limit[task[e]!]!, causality.positionOf(e))
  let length = trace.eventCount
  for (let t = 0; t < runs.length; t++) {
    const stop = trace.taskStart[t]! + limit[t]!
    if (stop < trace.taskStart[t + 1]!) length = Math.min(length, rank[stop]!)
  }
  for (let i = 0; i < edges.length; i += 2) {
    const [from, to] = [edges[i]!, edges[i + 1]!]
    if (rank[from]! > rank[to]!) length = Math.min(length, rank[to]!)
  }
  const more = runs.map((n, t) => Math.max(n, trace.countAt(t, length)))
  if (more.every((n, t) => n === runs[t])) return undefined
  for (let round = 0, grew = true; grew; round++) {
    if (round === MOST_ROUNDS) return undefined
    grew = false
    for (let t = 0; t < more.length; t++) {
      if (more[t] === runs[t]) continue // where it stops is asked for
      for (let h = sections.headBefore(trace.taskStart[t]! + more[t]!, t); h !== NONE; h = sections.rest(h)) {
        const release = sections.release[sections.sectionAt(h)]!
        if (release === NONE) return undefined
        must.joinPast(release, more)
        grew = true
      }
    }
    for (let t = 0; t < more.length; t++) if (more[t]! > limit[t]!) return undefined
  }
  return more
}
