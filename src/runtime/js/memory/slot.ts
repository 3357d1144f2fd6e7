/**
 * One location of memory: who touched it last, and what is not in the trace yet. A location is quiet until two turns have touched it, one
 * of them with a write, not counting the first turn of all (the main script runs before everything else, whatever happens). Until then its
 * accesses are kept here, and most locations stay quiet for ever. When it gets loud they are written as earlier accesses.
 *
 * One read and one write a segment are enough, and a read after a write of the same segment tells nothing.
 *
 * Programs have millions of locations, and most belong to objects that a single segment makes, uses and forgets. So what the first segment that touched an object did to a location of it
 * is a number as long as it is one access: the site, and whether it was a write. Only what comes after that needs a slot.
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
