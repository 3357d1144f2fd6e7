/**
 * What one operation of a client does to outside state, as far as its text and its operands show: rows of tables, keys, documents, URLs. The readers
 * of statements and commands produce it, the runtime writes it to the trace, the predictors use it.
 *
 * Locations are written as the user would: `items[id=7]`, `items`, `key cart:42`, `GET /rates`. Parts and wholes work as with maps: an access to one
 * row also reads the table's set of rows if a row may be added or removed; a read of a whole table reads every row of it. `location.ts` writes and
 * compares them.
 */

export type Access =
  /** Looks. */
  | 'read'
  /** Puts something there, whatever was there before. */
  | 'write'
  /** Looks and puts in one indivisible step: `stock = stock - 1`, `UPDATE … WHERE stock > 0`, INCR, insert where a constraint refuses a second. */
  | 'update'

export interface Touch {
  /** Table, collection, `key …`, `channel …`, `sequence …`, or EVERYTHING. */
  readonly whole: string
  /** Which part of it: equalities, sorted by column, `id=7` or `tenant=1,user=2`. Undefined: all of it, or nobody knows which. */
  readonly part?: string
  /** Columns or fields, where the text names them. Of an update: those that are put. */
  readonly fields?: readonly string[]
  readonly access: Access
  /** The set of parts changes: insert, delete. */
  readonly members?: boolean
  /** Columns that the statement itself looks at before it changes anything, besides those of its part: `stock` in `UPDATE … WHERE id = 7 AND stock > 0`. */
  readonly guards?: readonly string[]
  /** It is carried out if the key is there, or if it is not: SET with NX or XX. Or it ends the key: DEL. */
  readonly exists?: boolean
  /** Parts of which a constraint permits one row: an insert of a second is refused (or becomes the other branch of ON CONFLICT). */
  readonly unique?: readonly string[]
}

/** The `whole` of what was not understood, and of FLUSHDB. */
export const EVERYTHING = 'database'

export type Isolation = 'read uncommitted' | 'read committed' | 'repeatable read' | 'serializable'

export interface Reading {
  readonly touches: readonly Touch[]
  /** A transaction begins, or ends, on the connection. Savepoints are neither. A text that does both says nothing. */
  readonly transaction?: 'begin' | 'commit' | 'rollback'
  readonly isolation?: Isolation
  /** For every transaction of the connection from now on, not only for this one or the next. */
  readonly session?: boolean
  /** Taken by this operation, or waited for: rows by FOR UPDATE, tables, advisory locks, SET NX. */
  readonly locks?: readonly Held[]
  /** Given back. EVERYTHING: all of them. */
  readonly unlocks?: readonly string[]
  /** WATCH: the transaction that follows is refused if one of these changes. Empty: no more of them. */
  readonly watches?: readonly string[]
  /** False: it may touch more than `touches` says, so these have EVERYTHING among them. */
  readonly understood: boolean
  /** What people read: `SELECT stock FROM items …`. */
  readonly title: string
}

export interface Held {
  readonly lock: string
  /** Until the transaction ends, until somebody gives it back, or for the operation alone: who waits for the next item of a list gets it before those behind. */
  readonly until: 'transaction' | 'release' | 'statement'
  /** It does not wait where the lock is taken: the answer says whether it has it now. pg_try_advisory_lock, GET_LOCK, SET NX. */
  readonly tries?: boolean
  /** What is locked it leaves out, and takes something else: SKIP LOCKED. */
  readonly skips?: boolean
  /** Several may have it: FOR SHARE. */
  readonly shared?: boolean
}
