/** Which locks a task holds, computed by walking the task: reports need it for a few events only. */
import { isAcquire, isRelease } from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'

/** The locks held just before `event` runs, with the acquire that began each, in the order they were taken. */
export function heldAt(trace: Trace, event: EventId): Map<number, EventId> {
  const held = new Map<number, { since: EventId; depth: number }>()
  for (let e = trace.taskStart[trace.taskOf(event)]!; e < event; e++) {
    const op = trace.op[e]!
    const lock = trace.target[e]!
    if (isAcquire(op)) {
      const known = held.get(lock)
      if (known) known.depth++
      else held.set(lock, { since: e, depth: 1 })
    } else if (isRelease(op)) {
      const known = held.get(lock)
      if (known && --known.depth === 0) held.delete(lock)
    }
  }
  return new Map(Array.from(held, ([lock, { since }]) => [lock, since]))
}

/** The locks held all the way from `a` to `b` of the same task. */
export function heldThroughout(trace: Trace, a: EventId, b: EventId): number[] {
  return [...heldAt(trace, b)].filter(([, since]) => since < a).map(([lock]) => lock)
}
