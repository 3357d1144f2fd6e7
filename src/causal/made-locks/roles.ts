/** What an event about a cell is, if the cell is a lock. */

/** Nothing to do with a lock, or the first write of F, before anybody else knew of the cell. */
export const KEPT = 0
/** The read half of a take: becomes `acq`. */
export const TAKEN = 1
/** The write of F: becomes `rel`. */
export const RELEASED = 2
/** An attempt at a lock that belongs to another task, or a look at a free one. Also: all of a wait. */
export const ATTEMPT = 3
/** The task that has it sees or writes something else than F, as it would in every order. */
export const OWN = 4
/** The same, but it sees what another task left there: a mark. */
export const MARKED = 5
/** The other half of a take or of a release. */
export const HALF = 6
/** All of a notify. */
export const NOTIFYING = 7

export interface Roles {
  /** Per event. Those of cells that turn out to be no locks mean nothing. */
  readonly role: Uint8Array
  /** The location that an event is about: that of an access, or of a list of waiters or a signal of a cell; NONE for others. */
  readonly cellOf: (event: number) => number
  /** Per location: 1 as long as nothing speaks against it. */
  readonly isLock: Uint8Array
  /** Per location: some release is a plain write. */
  readonly plain: Uint8Array
  /** Per event: did an attempt see the lock taken (1) or free (0)? */
  readonly sawTaken: Uint8Array
}
