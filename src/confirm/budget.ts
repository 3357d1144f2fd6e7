/** How long a check may take, and how often it may run the program. */
import { availableParallelism } from 'node:os'
import { allowanceOf, allowedMs } from '../base/allowance.ts'
import type { Own, Recording, Run } from '../frontends/contract.ts'
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
  /** Replays at the same time at most; left out, by the cores. */
  readonly atOnce?: number | undefined
  readonly isolation?: Isolation | undefined
  readonly hooks?: Hooks | undefined
}

const NOTHING: Own = { files: false, network: false, covers: () => false }
/** Where each has files of its own, and where nothing is known but that the recorded run wrote none. */
const MOST_WITH_FILES = 4
const MOST_WITHOUT = 2

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
export const newBudget = (start: number, run: Pick<Run, 'meets'>, recordedMs: number, options: Allowed): Budget => ({
  deadline: start + timeAfter(recordedMs, options),
  replaysLeft: options.replays,
  findings: options.maxFindings,
  confirm: options.confirm,
  // Asked for when the plain replays are over: they may have shown that views do not suit the program.
  get atOnce() {
    return atOnce(run, options)
  },
})

/** Hooks are run one at a time, and what is put back is there once. */
function atOnce(run: Pick<Run, 'meets'>, { isolation, hooks, atOnce: asked }: Allowed): number {
  if (hooks?.beforeEach !== undefined || hooks?.afterEach !== undefined || isolation?.copies) return 1
  if (run.meets(isolation ?? NOTHING)) return 1
  return asked ?? Math.min(isolation?.files ? MOST_WITH_FILES : MOST_WITHOUT, availableParallelism())
}
