import { expect, it } from 'vitest'
import { heldAt } from '../../src/report/held.ts'
import { isAcquire, isRelease } from '../../src/trace/ops.ts'
import type { EventId, Trace } from '../../src/trace/trace.ts'
import { randomTrace } from '../oracle/random-trace.ts'

const traceOf = (seed: number, events: number): Trace => randomTrace(seed, { events, tasks: 3, locks: 6, mixedNesting: true })

/** By walking the task. */
function walked(trace: Trace, event: EventId): [number, EventId][] {
  const held: { lock: number; since: EventId; depth: number }[] = []
  for (let e = trace.taskStart[trace.taskOf(event)]!; e < event; e++) {
    const lock = trace.target[e]!
    const known = isAcquire(trace.op[e]!) || isRelease(trace.op[e]!) ? held.find((one) => one.lock === lock) : undefined
    if (isAcquire(trace.op[e]!) && !known) held.push({ lock, since: e, depth: 1 })
    else if (isAcquire(trace.op[e]!)) known!.depth++
    else if (known && --known.depth === 0) held.splice(held.indexOf(known), 1)
  }
  return held.map(({ lock, since }) => [lock, since])
}

it('locks held at any event are those of a walk through its task', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const trace = traceOf(seed, 1500)
    for (let e = 0; e < trace.eventCount; e += 7) expect([...heldAt(trace, e)], `seed ${seed}, event ${e}`).toEqual(walked(trace, e))
  }
})

it('asking for locks held costs the same in a long trace', () => {
  const cost = (events: number): number => {
    const trace = traceOf(1, events)
    heldAt(trace, 0)
    const before = process.cpuUsage().user
    for (let i = 0; i < 4000; i++) heldAt(trace, trace.eventCount - 1 - i)
    return process.cpuUsage().user - before
  }
  cost(5000)
  // A walk from the beginning of the task would take sixteen times as long.
  expect(cost(80_000)).toBeLessThan(8 * Math.max(cost(5000), 2000))
})
