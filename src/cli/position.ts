/** From a position that a user types to the event: positions are stamps, and several events can share one. */
import { WAKE } from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import { noSuchPosition } from './errors.ts'

/** The event at a position: of several, the wake (they are a wait), else the first. */
export function eventAt(trace: Trace, position: number): EventId {
  const { stamp, op } = trace
  let found: EventId | undefined
  let below = -1
  let above = Infinity
  for (let e = 0; e < stamp.length; e++) {
    const s = stamp[e]!
    if (s === position) {
      if (found === undefined || (op[e] === WAKE && op[found] !== WAKE)) found = e
    } else if (s < position) below = Math.max(below, s)
    else above = Math.min(above, s)
  }
  if (found !== undefined) return found
  const near = [below, above].filter((s) => s >= 0 && s < Infinity)
  throw noSuchPosition(trace.facts.source, position, near)
}
