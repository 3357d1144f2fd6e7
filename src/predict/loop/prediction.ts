/** The result of predictLoop: an order of turns that did not happen, a schedule that makes it happen, and the text that explains it. */
import type { DelaySchedule, Timers } from '../../schedule/schedule.ts'
import type { CoverageRow } from '../../coverage.ts'
import type { Prediction } from '../prediction.ts'

export type LoopKind = 'atomicity' | 'order-violation'

/** The shape of the conflict. The first seven belong to atomicity, the others to order violations. */
export type LoopPattern =
  | 'check-then-act'
  | 'double submit'
  | 'stampede'
  | 'dirty iteration'
  | 'lost update'
  | 'stale read'
  | 'dirty read'
  | 'overwritten'
  | 'use before initialisation'
  | 'read-your-writes'
  | 'use after teardown'
  | 'write order'
  | 'read order'
  | 'expiry'

/** Turns and off-loop effects in a feasible order that the checker accepted. */
export interface LoopWitness {
  /** Turns below this one run as recorded, then comes `order`. */
  readonly front: number
  /** Turn number t as t; the effect of operation o as -1 - o (numbers of the LoopView). */
  readonly order: readonly number[]
  /** Virtual time of each entry, in milliseconds. */
  readonly times: readonly number[]
  /** Some turn in the witness reads something that another write than the recorded one set: the program may take another way. */
  readonly uncertain: boolean
}

/**
 * Sites are those of the two conflicting accesses, of the third that makes it an atomicity violation, then the call chains that posted what is held
 * and the two turns.
 */
export interface LoopPrediction extends Prediction<DelaySchedule> {
  readonly kind: LoopKind
  readonly pattern: LoopPattern
  readonly witness: LoopWitness
}

export interface LoopOptions {
  readonly timers: Timers
  /** Goes into schedules as it is. */
  readonly command: readonly string[]
  /** At most this many predictions. */
  readonly limit?: number
  /** performance.now() at which to stop looking. */
  readonly deadline?: number
  /** Where the counts go. */
  readonly coverage?: CoverageRow
}
