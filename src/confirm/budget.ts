/** How long a check may take, and how often it may run the program. */
import { availableParallelism } from 'node:os'
import { allowanceOf, allowedMs } from '../base/allowance.ts'
import type { Recording, Run } from '../frontends/contract.ts'
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
  readonly budget?: string | undefined
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

/** Milliseconds for everything after a recorded run that took so long. */
function timeAfter(recordedMs: number, { timeMs, budget }: Pick<Allowed, 'timeMs' | 'budget'>): number {
  const allowance = budget === undefined ? undefined : allowanceOf(budget)
  return allowance === undefined ? timeMs : Math.min(timeMs, Math.max(0, allowedMs(allowance, recordedMs) - recordedMs))
}

/** A sentence, where it was the budget that ended a check before everything was replayed. */
export function budgetNote({ ms }: Pick<Recording, 'ms'>, options: Pick<Allowed, 'timeMs' | 'budget'>, over: boolean): string[] {
  const after = timeAfter(ms, options)
  if (!over || after === options.timeMs) return []
  return [
    `The budget of ${options.budget} was used up: ${(ms / 1000).toFixed(1)} s by the recorded run, ${(after / 1000).toFixed(1)} s after it.`,
  ]
}

/** `start`: a moment of performance.now(). `recordedMs`: what the recorded run took. */
export const newBudget = (start: number, run: Pick<Run, 'alone'>, recordedMs: number, options: Allowed): Budget => ({
  deadline: start + timeAfter(recordedMs, options),
  replaysLeft: options.replays,
  findings: options.maxFindings,
  confirm: options.confirm,
  atOnce: isAlone(run, options) ? 1 : Math.min(2, availableParallelism()),
})
