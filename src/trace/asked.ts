/**
 * How a lock, a permit of a semaphore or a wake-up was requested. `call(try)` in the same step: once, without waiting. `call(timed)` or `call(wait
 * 300)`: with a time-out. Without either: waits without limit.
 */
import { CALL } from './ops.ts'
import { NONE, type EventId, type Trace } from './trace.ts'

export const TRIED = 'try'
export const TIMED = 'timed'

export interface HowAsked {
  readonly how: typeof TRIED | typeof TIMED
  /** For so many milliseconds, where that is known. */
  readonly ms?: number
}

/** Of the event with which it is had, or with which the wait for it begins. */
export function howAsked(trace: Trace, event: EventId): HowAsked | undefined {
  const first = trace.taskStart[trace.taskOf(event)]!
  for (let e = event - 1; e >= first && trace.stamp[e] === trace.stamp[event]; e--) {
    if (trace.op[e] !== CALL) continue
    const name = trace.targetName(e)
    if (name === TRIED) return { how: TRIED }
    if (name === TIMED) return { how: TIMED }
    const wait = /^wait ([\d.e+]+)$/.exec(name)
    if (wait) return { how: TIMED, ms: Number(wait[1]) }
  }
  return undefined
}

/** Are there any at all? Most traces have none. */
export function asksInPassing({ tables: { names } }: Trace): boolean {
  return names.find(TRIED) !== NONE || names.find(TIMED) !== NONE
}
