/** The recorded order and the failing one as people see them, and the branch that a schedule flips: what is stored and shown beside a schedule. */
import type { UnitName } from './schedule.ts'

/** One access, or one other step of a thread, in one of the two orders shown. */
export interface OrderAccess {
  /** `read` or `write`; of a thread any word of its vocabulary. */
  readonly access: string
  /** How a sentence says it, where the word alone does not tell (report/verbs.ts): `frees`. */
  readonly verb?: string
  readonly location: string
  /** Text of the value, when it was observed. */
  readonly value?: string
  /** `file:line:column function`. */
  readonly site: string
}

/** A row of the small orders in a report. */
export interface OrderRow {
  /** The turn; of a thread its name and the number of the step. */
  readonly turn: UnitName
  /** For people: `timer 20 ms`, `fs.mkdir`; `fs.mkdir, outside the loop` for what an operation does off the loop; `worker 1`. */
  readonly name: string
  /** The async chain the shown accesses belong to, or the thread: two rows with the same chain are the same flow of control. */
  readonly chain: string
  readonly offLoop: boolean
  /** Where it was posted (call chain, innermost first) or the worker was made, for main the empty string. */
  readonly posted: string
  /** Milliseconds since the start: as recorded, or the virtual time of the witness. Steps of threads have none: their place in the order. */
  readonly at: number
  readonly accesses: readonly OrderAccess[]
}

/** A write that a condition saw, or can see instead. */
export interface SeenWrite {
  readonly location: string
  /** Text of the value; empty when it was not observed. */
  readonly value: string
  /** Empty for the value that was there at the start. */
  readonly site: string
}

/** The branch a prediction is about: docs/branches.md. */
export interface BranchNote {
  /** `if`, `loop`, `receiver`, … */
  readonly kind: string
  readonly site: string
  /** `main`, `worker 1`. */
  readonly task: string
  /** Label of its chain. */
  readonly chain: string
  /** Which of the chain's decisions at this site it is, from 1. */
  readonly nth: number
  /** How it went, and how it would go; empty where that is not known before a replay. */
  readonly recorded: string
  readonly flipped: string
  readonly saw?: SeenWrite
  readonly sees?: SeenWrite
}
