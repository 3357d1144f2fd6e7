/**
 * Turns that came before their place in the recorded run (guide.ts) are kept until it comes, and run one at a time. Requests that would overtake
 * another one at the server start after it.
 */
import type * as core from '../core.ts'
import { beginsEarly, hasCome, isItsPlace, placeOf, placeOfEngine } from './guide.ts'
import { patientNow } from './patience.ts'
import { soon } from './real.ts'

/** Gives it, and calls `done` when the program has had it. */
export type Give = (done: () => void) => void

/** `op`: undefined where the engine goes on by itself. */
interface Early {
  readonly at: number
  readonly op: core.Op | undefined
  readonly give: Give
}

/** One that nobody takes keeps the others no longer than so many milliseconds (patience.ts). */
const PATIENCE_MS = 3000

const kept: Early[] = []
/** The one that is being given: the program has not had it yet. */
let giving: Early | undefined
let givingSince = 0
let changed: () => void = () => {}

/** Which call of the operation its next turn is: behind those that are kept. */
export const nthToCome = (op: core.Op): number =>
  op.dispatches + 1 + kept.reduce((sum, one) => sum + Number(one.op === op), 0) + Number(giving?.op === op)

/** What has not begun. */
const waiting = new Map<core.Op, () => void>()

export const earlyCount = (): number => kept.length + waiting.size + (giving === undefined ? 0 : 1)

/** Called when answers are kept or given. */
export function onEarly(action: () => void): void {
  changed = action
}

/** Keeps a turn for which `isEarly` holds. */
export function keepEarly(op: core.Op, give: Give, nth = op.dispatches + 1): void {
  kept.push({ at: placeOf(op, nth)!, op, give })
  hasCome(op, true)
  changed()
}

/** Keeps what the engine goes on with, if the recorded run says when it did. */
export function keepEngine(give: () => void): boolean {
  const at = placeOfEngine()
  if (at === undefined) return false
  kept.push({
    at,
    op: undefined,
    give(done) {
      give()
      done()
    },
  })
  changed()
  // When this turn has posted all that may come before.
  soon(giveEarly)
  return true
}

/** Gives the first of those that are kept, if its place has come. True: the turn of one has to come now. */
export function giveEarly(): boolean {
  if (giving !== undefined && patientNow() - givingSince > PATIENCE_MS) giving = undefined
  if (giving !== undefined) return true
  if (kept.length === 0) return false
  let least = 0
  for (const [i, one] of kept.entries()) if (one.at < kept[least]!.at) least = i
  if (!isItsPlace(kept[least]!.at)) return false
  const one = kept.splice(least, 1)[0]!
  giving = one
  givingSince = patientNow()
  one.give(() => {
    if (one.op !== undefined) hasCome(one.op, false)
    if (giving === one) giving = undefined
    changed()
    if (kept.length > 0) soon(giveEarly)
  })
  return true
}

/** Keeps a request for which `beginsEarly` holds. */
export function keepFromBeginning(op: core.Op, begin: () => void): void {
  waiting.set(op, begin)
  changed()
}

/** Begins those that may. `all`: nothing else comes any more. True: there was one. */
export function letBegin(all = false): boolean {
  let any = false
  for (const [op, begin] of waiting) {
    if (!all && beginsEarly(op)) continue
    waiting.delete(op)
    any = true
    begin()
  }
  if (any) changed()
  return any
}

/** A turn has begun: when it has ended the place of another may have come. */
export function earlyTurn(): void {
  if (waiting.size > 0) soon(letBegin)
  if (kept.length > 0 && giving === undefined) soon(giveEarly)
}
