/**
 * One location in memory: its last accesses, and those that are not in the trace yet. A location is quiet until two turns have accessed it, one of
 * them with a write. The first turn of all does not count: the main script runs before everything else in every order. Until then its accesses are
 * kept here, and most locations stay quiet to the end. When a location becomes loud, they are written as earlier accesses.
 *
 * One read and one write for each segment are enough, and a read after a write of the same segment adds nothing.
 *
 * Programs have millions of locations, and most belong to objects that one segment makes, uses and drops. So the first access to a location by the
 * first segment that accessed its object is stored as a number: the site, and whether it was a write. Only further accesses need a slot.
 */

/** Places for the number in the trace, while there is none. */
export const QUIET = -1
export const WRITTEN = -2

/** A location, as it is kept with its object. */
export type State = Slot | number | undefined

export const onlyRead = (site: number): number => site * 2
export const onlyWrite = (site: number): number => site * 2 + 1
export const isOnlyWrite = (state: number): boolean => (state & 1) === 1
export const onlySite = (state: number): number => state >> 1

/** Fields are few. */
export class Slot {
  lastRead = -1
  lastWrite = -1
  readSite = -1
  writeSite = -1
  /** Older accesses that are not written yet: op, segment and site of each. */
  older: number[] | undefined = undefined
  /** Which turns after the first have touched it: none 0, one of them its number, several -1. */
  turn = 0
  /** Its number in the trace once it is loud; before that QUIET, or WRITTEN when a turn after the first wrote it. */
  location = QUIET
  /** Name of the property, index of the element or variable, or Entry. */
  constructor(readonly key: unknown) {}
}
