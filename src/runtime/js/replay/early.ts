/** Turns that came before their place in the recorded run (guide.ts): they are kept until it comes, and given one at a time. */
import type * as core from '../core.ts'
import { hasCome, isItsPlace, placeOf } from './guide.ts'
import { realNow, soon } from './real.ts'

/** Gives it, and calls `done` when the program has had it. */
export type Give = (done: () => void) => void

interface Early {
  readonly at: number
  readonly op: core.Op
  readonly give: Give
}

/** One that nobody takes keeps the others no longer than so many real milliseconds. */
const PATIENCE_MS = 3000

const kept: Early[] = []
/** The one that is being given: the program has not had it yet. */
let giving: Early | undefined
let givingSince = 0
let changed: () => void = () => {}

export const earlyCount = (): number => kept.length + (giving === undefined ? 0 : 1)

/** Called when answers are kept or given. */
export function onEarly(action: () => void): void {
  changed = action
}

/** Keeps a turn for which `isEarly` holds. */
export function keepEarly(op: core.Op, give: Give): void {
  kept.push({ at: placeOf(op)!, op, give })
  hasCome(op, true)
  changed()
}

/** Gives the first of those that are kept, if its place has come. True: the turn of one has to come now. */
export function giveEarly(): boolean {
  if (giving !== undefined && realNow() - givingSince > PATIENCE_MS) giving = undefined
  if (giving !== undefined) return true
  if (kept.length === 0) return false
  let least = 0
  for (const [i, one] of kept.entries()) if (one.at < kept[least]!.at) least = i
  if (!isItsPlace(kept[least]!.at)) return false
  const one = kept.splice(least, 1)[0]!
  giving = one
  givingSince = realNow()
  one.give(() => {
    hasCome(one.op, false)
    if (giving === one) giving = undefined
    changed()
    if (kept.length > 0) soon(giveEarly)
  })
  return true
}

/** A turn has begun: when it has ended the place of another may have come. */
export function earlyTurn(): void {
  if (kept.length > 0 && giving === undefined) soon(giveEarly)
}
