/** The threads of a run as one trace, and which event is which step: the result of every front end with threads. */
import type { Trace } from './trace.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface StepsOf {
  /** Per event of the trace: its step in its task, counted from 1. */
  readonly stepOf: Int32Array
  /** Per task: how many steps its file has. */
  readonly count: Int32Array
}

/** What a thread stands before that did not end: events of the step it would take, op and name of what each is about. */
export interface Standing {
  readonly task: string
  readonly events: readonly (readonly [op: number, target?: string])[]
}

export interface Joined {
  /** What its threads do, in words. */
  readonly vocabulary: Vocabulary
  readonly trace: Trace
  readonly steps: StepsOf
  /** What is missing, a sentence each. */
  readonly notes: readonly string[]
  /** Threads that did not end, where it is known what they stand before. */
  readonly stands?: readonly Standing[]
}
