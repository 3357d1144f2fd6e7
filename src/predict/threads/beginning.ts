/**
 * The beginning of a long run. Deciding costs a pass over the trace for every candidate, so the beginning of a long trace is searched first.
 *
 * A prefix of the recorded run is a run of its own, and what is feasible in it is feasible in the whole: a witness contains only events of the
 * prefix, whose rules do not depend on what comes later. (A join is in the prefix only with all of its task; a read is bound by what follows it and
 * runs.) What is infeasible in it may be feasible in the whole, with a write or a notify that comes later: it says nothing.
 */
import { NONE, Trace, type EventId } from '../../trace/trace.ts'
import { Difference } from '../../witness/difference.ts'
import type { ThreadPrediction } from './prediction.ts'

export interface Beginning {
  readonly trace: Trace
  readonly stepOf: Int32Array
  /** A prediction of the beginning, with the numbers that its events have in the whole. */
  inWhole(prediction: ThreadPrediction): ThreadPrediction
}

/** About so many events: all up to a stamp, in whole steps. undefined where the recorded order is not that of stamps. */
export function beginningOf(trace: Trace, stepOf: Int32Array, events: number): Beginning | undefined {
  if (trace.facts.order !== 'global' || trace.eventCount <= events || trace.sourceOrder() !== trace.recordedOrder()) return undefined
  const { op, target, value, site, stamp, taskStart } = trace
  const starts = new Int32Array(trace.taskCount + 1)
  for (let bound = stamp[trace.recordedOrder()[events - 1]!]!, whole = false; !whole;) {
    whole = true
    for (let t = 0; t < trace.taskCount; t++) {
      const end = firstAfter(stamp, bound, taskStart[t]!, taskStart[t + 1]!)
      starts[t + 1] = starts[t]! + end - taskStart[t]!
      if (end === taskStart[t] || end === taskStart[t + 1] || stepOf[end] !== stepOf[end - 1]) continue
      let first = end - 1
      while (first > taskStart[t]! && stepOf[first - 1] === stepOf[end]) first--
      bound = stamp[first]! - 1
      whole = false
      break
    }
  }
  const part = <A extends Int32Array | Uint8Array>(column: A): A => {
    const out = column.slice(0, starts[trace.taskCount]) as A
    for (let t = 0; t < trace.taskCount; t++) out.set(column.subarray(taskStart[t], taskStart[t]! + starts[t + 1]! - starts[t]!), starts[t])
    return out
  }
  const columns = { taskStart: starts, op: part(op), target: part(target), value: part(value), site: part(site), stamp: part(stamp) }
  const beginning = new Trace(columns, trace.tables, trace.facts)
  const whole = (e: EventId): EventId => {
    if (e === NONE) return NONE
    const t = beginning.taskOf(e)
    return e - starts[t]! + taskStart[t]!
  }
  return {
    trace: beginning,
    stepOf: part(stepOf),
    inWhole: (prediction) => {
      const { offer: _, interval: _also, inTheWay: _neither, ...candidate } = prediction.candidate
      return {
        ...prediction,
        candidate: {
          ...candidate,
          events: candidate.events.map(whole),
          next: candidate.next.map(whole),
          before: candidate.before.map(([a, b]) => [whole(a), whole(b)] as const),
          include: candidate.include.map(whole),
          without: candidate.without.map(whole),
          ...(candidate.waits === undefined ? {} : { waits: whole(candidate.waits) }),
          ...(candidate.instead === undefined ? {} : { instead: whole(candidate.instead) }),
        },
        witness: Difference.of(trace, prediction.witness.order.map(whole)),
      }
    },
  }
}

/** Of the events from and up to, the first with a later stamp. */
function firstAfter(stamp: Int32Array, bound: number, from: EventId, to: EventId): EventId {
  while (from < to) {
    const mid = (from + to) >>> 1
    if (stamp[mid]! <= bound) from = mid + 1
    else to = mid
  }
  return from
}
