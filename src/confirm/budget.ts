/** How long a check may take, and how often it may run the program. */
import { availableParallelism } from 'node:os'
import type { Own, Run } from '../frontends/contract.ts'
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
  /** Replays at the same time at most; left out, by the cores. */
  readonly atOnce?: number | undefined
  readonly isolation?: Isolation | undefined
  readonly hooks?: Hooks | undefined
}

const NOTHING: Own = { files: false, network: false, covers: () => false }
/** Where each has files of its own, and where nothing is known but that the recorded run wrote none. */
const MOST_WITH_FILES = 4
const MOST_WITHOUT = 2

/** `start`: a moment of performance.now(). */
export const newBudget = (start: number, run: Pick<Run, 'meets'>, options: Allowed): Budget => ({
  deadline: start + options.timeMs,
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
