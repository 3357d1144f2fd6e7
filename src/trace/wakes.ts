/**
 * Rule 4 of docs/model.md along an order of events: which notify serves which wake? A wake accepts notifies between its release and
 * itself, a notify serves one wake, so this is scheduling unit jobs with release times and deadlines, for which taking the earliest
 * deadline first is exact: if any matching serves all, this one does. (The checker in src/witness does the same by itself, on purpose.)
 */
import { NOTIFY, NOTIFY_ALL, WAKE, isRelease } from './ops.ts'
import { NONE, type EventId, type Trace } from './trace.ts'

export interface WakeMatch {
  /** Wakes and the notify that served each. */
  readonly pairs: readonly (readonly [EventId, EventId])[]
  /** Wakes that got none, in order. */
  readonly unserved: readonly EventId[]
}

/** The release that starts the wait which ends in `wake`, or NONE for a bare wake. */
export function waitStart(trace: Trace, wake: EventId): EventId {
  const isFirst = wake === trace.taskStart[trace.taskOf(wake)]
  return !isFirst && isRelease(trace.op[wake - 1]!) ? wake - 1 : NONE
}

export function matchWakes(trace: Trace, order: Int32Array): WakeMatch {
  const pairs: (readonly [EventId, EventId])[] = []
  const unserved: EventId[] = []
  const rank = new Map<EventId, number>()
  /** Per signal: wakes whose wait has begun, from `front` on, the one that wakes first at the front. */
  const waiting = new Map<number, { list: EventId[]; front: number }>()
  const insert = (wake: EventId): void => {
    const signal = trace.target[wake]!
    let queue = waiting.get(signal)
    if (!queue) waiting.set(signal, (queue = { list: [], front: 0 }))
    const { list, front } = queue
    let at = list.length
    while (at > front && rank.get(list[at - 1]!)! > rank.get(wake)!) at--
    list.splice(at, 0, wake)
  }
  for (const e of order) if (trace.op[e] === WAKE) rank.set(e, rank.size)
  if (rank.size === 0) return { pairs, unserved }
  const starts = new Map<EventId, EventId>()
  for (const wake of rank.keys()) {
    const start = waitStart(trace, wake)
    if (start === NONE) insert(wake)
    else starts.set(start, wake)
  }
  for (const e of order) {
    const op = trace.op[e]!
    if (isRelease(op)) {
      const wake = starts.get(e)
      if (wake !== undefined) insert(wake)
      continue
    }
    if (op !== NOTIFY && op !== NOTIFY_ALL && op !== WAKE) continue
    const queue = waiting.get(trace.target[e]!)
    if (!queue || queue.front === queue.list.length) continue
    if (op === WAKE) {
      // Those that woke before are gone, so an unserved one stands at the front.
      if (queue.list[queue.front] !== e) continue
      queue.front++
      unserved.push(e)
    } else {
      const last = op === NOTIFY ? queue.front + 1 : queue.list.length
      while (queue.front < last) pairs.push([queue.list[queue.front++]!, e])
    }
  }
  return { pairs, unserved }
}
