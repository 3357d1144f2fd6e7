/** The input and the result of predictThreads. */
import type { Property, Typestate } from '../../property/ast.ts'
import type { StepSchedule, Timers } from '../../schedule/schedule.ts'
import type { Vocabulary } from '../../trace/vocabulary.ts'
import type { Witness } from '../../witness/candidate.ts'
import type { CoverageRow } from '../../coverage.ts'
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

/** In the place of a prediction, where none was found for a while: time to hear of a Ctrl-C. Given only to those who say `pauses`. */
export const PAUSE = { fingerprint: '', again: false } as ThreadPrediction

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
  /** Somebody wants no more. */
  readonly stopped?: () => boolean
  /** `PAUSE` is understood. */
  readonly pauses?: boolean
  /** Look at so many events from the beginning first. Unless said, that is done with long traces only. */
  readonly beginning?: number
  /** By event: reads that no condition and no value that matters depends on (the `symbolic` model of docs/model.md). */
  readonly free?: Uint8Array
  readonly coverage?: CoverageRow
  /** Told what is odd about the program and no order, a sentence each. */
  readonly onNote?: (sentence: string) => void
}
