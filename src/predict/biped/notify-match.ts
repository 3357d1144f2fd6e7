/**
 * Which notify woke which wake in the recorded run. BIPED (Definition 2) takes this as recorded; our traces do not hold it, so it is
 * recovered: each wake is served by the most recent notify of its signal before it, a notify serves one wake, a notifyAll any number, and
 * a wake that follows a release is served after that release (docs/model.md, rule 4).
 *
 * Taking the most recent one walking forward could leave a later wake only a notify older than its release. Walking backward and giving
 * each notify to the waiting wake whose release came last (its time is nearest to run out) finds a matching whenever there is one.
 */
import { NOTIFY, NOTIFY_ALL, WAKE, isRelease } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'

/** The release at which the task of `wake` began to wait, or NONE for a bare wake. */
export function waitsFrom(trace: Trace, wake: EventId): EventId {
  const before = wake - 1
  return before >= trace.taskStart[trace.taskOf(wake)]! && isRelease(trace.op[before]!) ? before : NONE
}

/** Pairs (notify, wake), latest wake first. A wake that nothing served has none. */
export function matchNotifies(trace: Trace, position: Int32Array): [EventId, EventId][] {
  const order = trace.recordedOrder()
  const { op, target } = trace
  const pairs: [EventId, EventId][] = []
  // Per signal. A task waits once at a time, so `waiting` is no longer than there are tasks; bare wakes may pile up.
  const waiting = new Map<number, EventId[]>()
  const bare = new Map<number, EventId[]>()
  const listOf = (lists: Map<number, EventId[]>, signal: number): EventId[] => {
    let list = lists.get(signal)
    if (!list) lists.set(signal, (list = []))
    return list
  }

  for (let i = order.length - 1; i >= 0; i--) {
    const e = order[i]!
    const signal = target[e]!
    if (op[e] === WAKE) {
      listOf(waitsFrom(trace, e) === NONE ? bare : waiting, signal).push(e)
    } else if (isRelease(op[e]!) && op[e + 1] === WAKE && waitsFrom(trace, e + 1) === e) {
      const list = waiting.get(target[e + 1]!)
      const unserved = list?.indexOf(e + 1) ?? -1
      if (unserved >= 0) list!.splice(unserved, 1)
    } else if (op[e] === NOTIFY_ALL) {
      for (const lists of [waiting, bare]) for (const wake of listOf(lists, signal).splice(0)) pairs.push([e, wake])
    } else if (op[e] === NOTIFY) {
      const list = listOf(waiting, signal)
      let last = 0
      for (let k = 1; k < list.length; k++) if (position[list[k]! - 1]! >= position[list[last]! - 1]!) last = k
      const wake = list.length > 0 ? list.splice(last, 1)[0] : listOf(bare, signal).pop()
      if (wake !== undefined) pairs.push([e, wake])
    }
  }
  return pairs
}
