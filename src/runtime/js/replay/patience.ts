/**
 * Milliseconds to be patient by: real time as far as this process was given some. On a busy machine it comes to look less often than it asked for, and those it waits for get as little
 * of the processor as it does: so a look counts for as long as was asked for, and not for as long as it took.
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
