/**
 * The pair that a finding says is reversed: two steps of different flows that the recorded order has in one order and the failing order in the other.
 * A step that the failing order does not have comes before none that it has.
 */
import type { OrderRow } from '../schedule/order.ts'
import type { UnitName } from '../schedule/schedule.ts'

/** A turn of a loop, what an operation does outside it, or a step of a thread. */
export interface Place extends UnitName {
  readonly offLoop: boolean
}

/** In the recorded order. */
export interface Pair {
  readonly first: Place
  readonly second: Place
}

export const placeOf = ({ turn: { label, nth }, offLoop }: OrderRow): Place => ({ label, nth, offLoop })
export const isSamePlace = (a: Place, b: Place): boolean => a.label === b.label && a.nth === b.nth && a.offLoop === b.offLoop

export function pairsOf(observed: readonly OrderRow[], failing: readonly OrderRow[]): Pair[] {
  const before = observed.map(placeOf)
  const after = failing.map(placeOf)
  const at = (place: Place): number => {
    const found = after.findIndex((other) => isSamePlace(place, other))
    return found < 0 ? Infinity : found
  }
  const pairs: Pair[] = []
  for (const [j, second] of before.entries())
    for (const first of before.slice(0, j)) if (!isSamePlace(first, second) && at(second) < at(first)) pairs.push({ first, second })
  return pairs
}
