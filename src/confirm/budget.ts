/** How long a check may take, and how often it may run the program. */
import { availableParallelism } from 'node:os'
import type { Run } from '../frontends/contract.ts'

export interface Budget {
  /** performance.now() at which no further replay begins. */
  readonly deadline: number
  replaysLeft: number
  /** Different failures wanted. */
  readonly findings: number
  /** Replays of a finding that failed once. */
  readonly confirm: number
  /** Replays at the same time: more than one only where they cannot get into each other's way. */
  readonly atOnce: number
}

/** What somebody allows. */
interface Allowed {
  readonly timeMs: number
  readonly replays: number
  readonly maxFindings: number
  readonly confirm: number
}

/** `start`: a moment of performance.now(). */
export const newBudget = (start: number, { alone }: Pick<Run, 'alone'>, options: Allowed): Budget => ({
  deadline: start + options.timeMs,
  replaysLeft: options.replays,
  findings: options.maxFindings,
  confirm: options.confirm,
  atOnce: alone ? 1 : Math.min(2, availableParallelism()),
})
