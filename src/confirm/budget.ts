/** How long a check may take, and how often it may run the program. */
import { availableParallelism } from 'node:os'
import type { Run } from '../frontends/contract.ts'
import type { Isolation } from '../isolate/isolation.ts'
import type { Hooks } from '../process/hooks.ts'

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
  readonly isolation?: Isolation | undefined
  readonly hooks?: Hooks | undefined
}

/** Replays that have files and network of their own do not meet. Hooks do, and what is put back is there once. */
const isAlone = ({ alone }: Pick<Run, 'alone'>, { isolation, hooks }: Allowed): boolean =>
  hooks?.beforeEach !== undefined ||
  hooks?.afterEach !== undefined ||
  isolation?.copies === true ||
  (alone && !(isolation?.files && isolation.network))

/** `start`: a moment of performance.now(). */
export const newBudget = (start: number, run: Pick<Run, 'alone'>, options: Allowed): Budget => ({
  deadline: start + options.timeMs,
  replaysLeft: options.replays,
  findings: options.maxFindings,
  confirm: options.confirm,
  atOnce: isAlone(run, options) ? 1 : Math.min(2, availableParallelism()),
})
