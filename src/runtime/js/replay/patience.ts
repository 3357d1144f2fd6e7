/**
 * Milliseconds for time-outs of the replay: real time, as far as this process was running. On a busy machine it polls less often than it asked for,
 * and what it waits for gets as little CPU time as it does. So each poll counts as the interval that was asked for, not as the time that it took.
 */
import { realNow } from './real.ts'

/** A look may be so much later than asked for on a machine that has nothing else to do. */
const USUAL_MS = 2

let patient = 0
let lastLook = realNow()
let asked = 0

/** The next look is wanted after so many milliseconds. */
export function willLook(ms: number): void {
  asked = ms
}

/** Call it at each look, and where something begins to be waited for. */
export function patientNow(): number {
  const now = realNow()
  const spent = Math.min(now - lastLook, asked + USUAL_MS)
  patient += spent
  lastLook = now
  asked = Math.max(0, asked - spent)
  return patient
}
