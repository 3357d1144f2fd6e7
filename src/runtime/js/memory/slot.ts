/**
 * One location of memory: who touched it last, and what is not in the trace yet. A location is quiet until two turns have touched it, one
 * of them with a write, not counting the first turn of all (the main script runs before everything else, whatever happens). Until then its
 * accesses are kept here, and most locations stay quiet for ever. When it gets loud they are written as earlier accesses.
 *
 * One read and one write a segment are enough, and a read after a write of the same segment tells nothing.
 */
import type { Kept } from './value.ts'

/** Places for the number in the trace, while there is none. */
export const QUIET = -1
export const WRITTEN = -2

/** An access that is not written yet. */
export interface Earlier {
  readonly op: number
  readonly segment: number
  readonly site: number
  readonly value: Kept
}

/**
 * Programs have millions of these: fields are few, and the slots of an object hang on one another instead of in a list.
 */
export class Slot {
  lastRead = -1
  lastWrite = -1
  readSite = -1
  writeSite = -1
  /** What the last write wrote. */
  value: Kept = undefined
  older: Earlier[] | undefined = undefined
  /** Which turns after the first have touched it: none 0, one of them its number, several -1. */
  turn = 0
  /** Its number in the trace once it is loud; before that QUIET, or WRITTEN when a turn after the first wrote it. */
  location = QUIET
  next: Slot | undefined = undefined
  /** Name of the property, index of the element or variable, or Entry. */
  constructor(readonly key: unknown) {}
}
