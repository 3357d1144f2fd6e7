/** The result of matching and the input of predictors: the events of a run that match a pattern, and which orders make it a violation. */
import type { EventId, Trace } from '../trace/trace.ts'

/**
 * A run, as properties see it: threads and event loops differ in what comes after what and in what a task is, so both stand behind this.
 * `causal/` has one of each.
 */
export interface Run {
  readonly trace: Trace
  /** Events in the order of the run, as far as it is known. Includes events of no interest. */
  readonly order: Int32Array
  /** May `a` come before `b` in some run? False only where something always keeps b first. Cheap: it is asked for every pair. */
  mayPrecede(a: EventId, b: EventId): boolean
  /** Can both bear one task attribute, `a` first? Threads: the same task. Loops: a leads to b. */
  sameTask(a: EventId, b: EventId): boolean
  /** Can they bear different ones? Threads: different tasks. Loops: neither leads to the other. */
  otherTask(a: EventId, b: EventId): boolean
  /** Events with the same number are alike to `sameTask` and `otherTask`, whatever the other event is. Left out: nothing is known, and matching keeps more. */
  flow?(event: EventId): number
}

/** One place of a pattern with its star, plus, question mark and alternatives worked out, filled. */
export interface Slot {
  /** Name of the event declaration. */
  readonly name: string
  /** The event, the first of its group: `call`, `ret`, `done`, an access, … */
  readonly event: EventId
  /** Bound to this task attribute, if any. */
  readonly task: string | undefined
}

/** No event of `events` may stand between two slots. NONE as a slot: the begin of the run, or the end of what is looked at. */
export interface Guard {
  readonly name: string
  readonly events: readonly EventId[]
  readonly after: number
  readonly before: number
}

export interface Instance {
  /** By parameter: a code of the trace's values; 0 where no event of the instance binds it. */
  readonly binding: Int32Array
  readonly slots: readonly Slot[]
  /** Pairs of slots: the first must come before the second. Transitive pairs are left out. */
  readonly before: readonly (readonly [number, number])[]
  /** The two slots of `a || b`: what comes next, at once. They are the last two. */
  readonly parallel: readonly [number, number] | undefined
  readonly guards: readonly Guard[]
}

/** A violation that a run shows. */
export interface Violation {
  readonly binding: Int32Array
  readonly slots: readonly Slot[]
}
