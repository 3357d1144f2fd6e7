/**
 * What can go wrong, in one sentence for each kind of candidate. Tasks, sites and locations are already texts: for a trace alone those of its file,
 * for a program those of its sources.
 */

/** Of the events in the order that makes it a bug. `at` is ` (file:line)`, or empty. */
export interface Told {
  readonly who: readonly string[]
  readonly at: readonly string[]
  /** What they are about. */
  readonly what: string
  /** `: it sees 0`, where that is known. */
  readonly instead?: string | undefined
  /** What the two outer accesses belong to: `function f`. */
  readonly region?: string | undefined
}

/** Between two accesses of `a`, at the first and the third place, comes one of `b`. */
export function parted(label: string, { who: [a, b], at, what, region }: Told): string {
  const [first, other, second] = at
  const inside = region === undefined ? '' : `, both in ${region}`
  switch (label) {
    case 'lost update':
      return `${b} can write ${what}${other} between the read of ${a}${first} and its write${second}${inside}, so the change of ${b} is lost.`
    case 'stale read':
      return `${b} can write ${what}${other} between two reads of ${a} that belong together${first} and${second}${inside}.`
    case 'dirty read':
      return `${b} can read ${what}${other} between two writes of ${a}${first} and${second}${inside}, while it is half changed.`
    case 'check-then-act':
      return `${b} can write ${what}${other} after ${a} has checked it${first} and before ${a} acts on the check${second}${inside}.`
    case 'overwritten':
      return `${b} can write ${what}${other} after ${a} has written it${first} and before ${a} reads it back${second}${inside}.`
    default:
      return `${label} on ${what}.`
  }
}

/** `a` can read before `b` has written. */
export function tooEarly(label: string, { who: [a, b], at: [read, write], what, instead = '' }: Told): string {
  switch (label) {
    case 'lost update':
      return `${a} can read ${what}${read} before ${b} has written it back${write}${instead}, and one of the two changes is lost.`
    case 'check-then-act':
      return `${a} can check ${what}${read} before ${b}, which has checked it too, changes it${write}, so that one of them acts on a check that no longer holds${instead}.`
    case 'use before initialisation':
      return `${a} can read ${what}${read} before ${b} has set it${write}${instead}.`
    default:
      return `${a} can read ${what}${read} before ${b} has written it${write}${instead}.`
  }
}

/** `a` can write before `b` has read. */
export const tooLate = ({ who: [a, b], at: [write, read], what }: Told): string =>
  `${a} can write ${what}${write} before ${b} has read what was there${read}.`

/** `a` can write before `b` does, which came first in the recorded run. */
export const overwritten = ({ who: [a, b], at: [then, first], what }: Told): string =>
  `${a} can write ${what}${then} before ${b} does${first}, so that the value of ${b} stays.`

/** `writes`: both write. Else the first reads. */
export function atOnce({ who: [a, b], at: [first, second], what }: Told, writes: boolean): string {
  if (writes) return `${a}${first} and ${b}${second} can write ${what} at the same time.`
  return `${a} can read ${what}${first} while ${b} writes it${second}.`
}

/** `wants`: what each waits for; the next one holds it. */
export function inACircle({ who, at }: Told, wants: readonly string[]): string {
  const waits = who.map((one, i) => `${one} waits for ${wants[i]}${at[i]}, which ${who[(i + 1) % who.length]} holds`)
  const more = waits.length > MOST_WAITS ? `; … ${waits.length - MOST_WAITS} more` : ''
  return `${waits.slice(0, MOST_WAITS).join('; ')}${more}: none of them can continue.`
}

/** `notified`: by whom and where, in brackets; empty where that is too much to say. */
export const forEver = ({ who: [a], at: [place], what }: Told, notified = ''): string =>
  `${a} can begin to wait for ${what}${place} when the last notify has already come${notified}: it waits for ever.`

const MOST_WAITS = 4
