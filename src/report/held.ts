/**
 * Which locks a task holds. A report of many findings asks for events all over the trace, so what is held is noted every few hundred events, once for each trace, and
 * only the rest is walked.
 */
import { isAcquire, isRelease } from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'

const EVERY = 256

interface Held {
  readonly lock: number
  readonly since: EventId
  depth: number
}

/** Of each trace, what the task of every `EVERY`th event holds just before it. */
const noted = new WeakMap<Trace, readonly (readonly Held[])[]>()

/** The locks held just before `event` runs, with the acquire that began each, in the order they were taken. */
export function heldAt(trace: Trace, event: EventId): Map<number, EventId> {
  let notes = noted.get(trace)
  if (!notes) noted.set(trace, (notes = note(trace)))
  const from = Math.floor(event / EVERY) * EVERY
  const start = trace.taskStart[trace.taskOf(event)]!
  const held = from <= start ? [] : notes[from / EVERY]!.map((one) => ({ ...one }))
  for (let e = Math.max(from, start); e < event; e++) step(trace, e, held)
  return new Map(held.map(({ lock, since }) => [lock, since]))
}

/** The locks held all the way from `a` to `b` of the same task. */
export function heldThroughout(trace: Trace, a: EventId, b: EventId): number[] {
  return [...heldAt(trace, b)].filter(([, since]) => since < a).map(([lock]) => lock)
}

function note(trace: Trace): Held[][] {
  const notes: Held[][] = []
  for (let t = 0; t < trace.taskCount; t++) {
    const held: Held[] = []
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
      if (e % EVERY === 0) notes.push(held.map((one) => ({ ...one })))
      step(trace, e, held)
    }
  }
  return notes
}

/** What an event does to what its task holds. */
function step(trace: Trace, event: EventId, held: Held[]): void {
  const op = trace.op[event]!
  if (isAcquire(op)) {
    const lock = trace.target[event]!
    const known = held.find((one) => one.lock === lock)
    if (known) known.depth++
    else held.push({ lock, since: event, depth: 1 })
  } else if (isRelease(op)) {
    const at = held.findIndex((one) => one.lock === trace.target[event]!)
    if (at >= 0 && --held[at]!.depth === 0) held.splice(at, 1)
  }
}
