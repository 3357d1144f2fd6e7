/**
 * The turns of a recorded event loop, with one numbering for all users: docs/event-loop.md defines such a trace.
 *
 * A unit is what the loop orders: turn t is the unit t, the effect of operation o outside the loop is the unit -1 - o.
 */

/** What the rules tell apart. Everything that nature finishes is `IO`. */
export const MAIN = 0
export const TIMER = 1
export const IMMEDIATE = 2
export const CLOSE = 3
export const IO = 4
export const STUB = 5

export type TurnId = number
export type OpId = number
export type Unit = number

export const effectOf = (op: OpId): Unit => -1 - op
export const isEffect = (unit: Unit): boolean => unit < 0
export const opOfEffect = (unit: Unit): OpId => -1 - unit

/** What a connection holds from the effect of one operation to that of another. */
export interface Section {
  readonly lock: string
  readonly lane: number
  readonly begin: OpId
  readonly end: OpId
  /** Nobody waits for it: who changes what is reserved makes the holder fail (a snapshot, WATCH). */
  readonly reserved: boolean
}

/** Before the name of a queue: what takes an item there and waits where there is none has this lock meanwhile. */
export const NEXT_OF = 'next of '

/** Locks with such names exclude nobody. Their sections may overlap, and neither notices the other: serializable transactions, rows that SKIP LOCKED leaves out. */
export const APART = 'apart '
/** What stands behind it: for serializable transactions; before a place that a request checks itself, by value or by whether it is there; else it is rows. */
export const SERIALIZABLE = 'serializable'
/** What it reads was so when its transaction began, wherever it stands. */
export const SNAPSHOT = 'snapshot'
export const GUARDS = 'guard '
export const EXISTS = 'exists '

export interface Sections {
  readonly all: readonly Section[]
  /** By operation: the request before it on its connection, or NONE. */
  readonly before: Int32Array
  /** Those that begin with an operation. */
  by(op: OpId): readonly Section[]
  /** Those that an operation is part of, begin and end too. */
  within(op: OpId): readonly Section[]
  /** The same of those that do not notice each other. */
  apart(op: OpId): readonly Section[]
}

/** As much of a run as the checker of orders needs. `LoopView` (causal/loop/turns.ts) has it, and says what the columns are. */
export interface LoopTurns {
  readonly turnCount: number
  readonly opCount: number
  readonly turnOp: Int32Array
  readonly turnNth: Int32Array
  readonly turnParent: Int32Array
  readonly turnTime: Float64Array
  readonly turnKind: Uint8Array
  readonly turnPost: Int32Array
  readonly opDelay: Int32Array
  readonly opPostTurn: Int32Array
  readonly opPostEvent: Int32Array
  readonly opChain: Int32Array
  readonly opTurn: Int32Array
  readonly sections: Sections
  readonly tree: { childrenOf(turn: TurnId): Int32Array }
  nameOf(turn: TurnId): string
  timeAfter(turn: TurnId): number
  /** Turns that sent or gave what this one was called for: a request, an answer. */
  answersFor(turn: TurnId): TurnId[]
  /** Earlier turns that must have run for this event to happen in its turn. */
  neededFor(turn: TurnId, chain: OpId, event: number): TurnId[]
}
