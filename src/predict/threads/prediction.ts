/** What predictThreads gives, what it is told, and what it counts. */
import type { Property, Typestate } from '../../property/ast.ts'
import type { StepSchedule, Timers } from '../../schedule/schedule.ts'
import type { Vocabulary } from '../../trace/vocabulary.ts'
import type { Witness } from '../../witness/candidate.ts'
import type { Prediction } from '../prediction.ts'
import type { ThreadPattern } from './pattern.ts'
import type { ThreadProposal } from './propose.ts'

export interface ThreadPrediction extends Prediction<StepSchedule> {
  readonly pattern: ThreadPattern
  /** Events are those of the trace with locks made by hand as locks. */
  readonly candidate: ThreadProposal
  /** In whole steps, and accepted by the checker. */
  readonly witness: Witness
  /** One of the same cause has been given before. */
  readonly again: boolean
}

/** Filled while predictions are drawn; final when the generator has returned. */
export interface ThreadCoverage {
  threads: number
  steps: number
  /** Places in shared memory that two threads touched. */
  cells: number
  /** Cells that are locks made by hand. */
  locks: number
  /** Candidates: pairs of accesses, patterns, cycles of locks, waits. */
  pairs: number
  /** Different causes among them. */
  causes: number
  decided: number
  feasible: number
  /** By the stage of the decider that ruled them out; `inside one step` are those that no replay could show. */
  infeasible: Record<string, number>
  unknown: number
  /** Not decided: another one of the same cause was predicted. */
  grouped: number
  /** Causes not looked at because the deadline had passed or the limit was reached. */
  notLookedAt: number
}

export interface ThreadOptions {
  readonly timers: Timers
  /** Goes into schedules as it is. */
  readonly command: readonly string[]
  /** Properties over shared memory, locks and the like. */
  readonly properties?: readonly Property[]
  /** Typestates: what a replay shows of them is for the runtime to tell, or for the program's failure. */
  readonly typestates?: readonly Typestate[]
  /** What the threads do, in words, and what can be relied on. */
  readonly vocabulary: Vocabulary
  /** At most this many predictions. */
  readonly limit?: number
  /** performance.now() at which to stop looking. */
  readonly deadline?: number
  /** Look at so many events from the beginning first. Unless said, that is done with long traces only. */
  readonly beginning?: number
  /** By event: reads that no condition and no value that matters depends on (the `symbolic` model of docs/model.md). */
  readonly free?: Uint8Array
  readonly coverage?: ThreadCoverage
  /** Told what is odd about the program and no order, a sentence each. */
  readonly onNote?: (sentence: string) => void
}

export const newThreadCoverage = (): ThreadCoverage => ({
  threads: 0,
  steps: 0,
  cells: 0,
  locks: 0,
  pairs: 0,
  causes: 0,
  decided: 0,
  feasible: 0,
  infeasible: {},
  unknown: 0,
  grouped: 0,
  notLookedAt: 0,
})

/** Counts what is infeasible. */
export function count(coverage: ThreadCoverage, rule: string, n: number): void {
  if (n > 0) coverage.infeasible[rule] = (coverage.infeasible[rule] ?? 0) + n
}
