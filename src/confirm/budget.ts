/** How long a check may take, and how often it may run the program. */
import { availableParallelism } from 'node:os'
import { allowanceOf, allowedMs } from '../base/allowance.ts'
import { busyness } from '../base/busy.ts'
import type { Own, Recording, Run } from '../frontends/contract.ts'
import type { Isolation } from '../isolate/isolation.ts'
import type { Hooks } from '../process/hooks.ts'
import { CheckPace, type Pace } from './pace.ts'

export interface Budget {
  /** performance.now() at which no further replay begins. */
  readonly deadline: number
  /** Of a suite of tests, as long as nothing has failed: it decides in place of the deadline. */
  readonly pace?: Pace | undefined
  /** Something failed: it is worth more time to be sure of it, and to find its cause. */
  failed?: () => void
  replaysLeft: number
  /** What is kept for the cause of what failed. */
  readonly forCause?: { readonly replays: number; readonly ms: number }
  /** Different failures wanted. */
  readonly findings: number
  /** Replays of a finding that failed once. */
  readonly confirm: number
  /** Replays at the same time: more than one only where they cannot get into each other's way. */
  readonly atOnce: number
}

/**
 * Of all replays and of the time, once something failed. A failure that was not looked into may be a time-out of the program: what is known of one failure counts for more than
 * another one. About as much as the cause took where there was no limit (docs/quality.md).
 */
const FOR_CAUSE = 1 / 3
/** More replays than any cause takes (src/cause/find.ts). */
const MOST_FOR_CAUSE = 24

/** May another order be tried, or is the rest for the cause of what failed? */
export const mayTry = (budget: Pick<Budget, 'replaysLeft' | 'deadline' | 'forCause' | 'pace'>): boolean =>
  budget.replaysLeft > (budget.forCause?.replays ?? 0) && !isOver(budget, budget.forCause?.ms)

/** Is there no time for another replay? `keptMs`: that is kept for something else. */
export const isOver = ({ pace, deadline }: Pick<Budget, 'deadline' | 'pace'>, keptMs = 0): boolean =>
  pace ? !pace.fits() : performance.now() >= deadline - keptMs

/** How long a replay that begins now may take: with a pace it is ended where it takes far longer than usual. */
export const patience = ({ pace, deadline }: Pick<Budget, 'deadline' | 'pace'>): number =>
  Math.max(1000, deadline - performance.now(), pace ? TOO_LONG * pace.expectedMs + 1000 : 0)

/** Times the usual length of a replay. */
const TOO_LONG = 3

/** What somebody allows. */
interface Allowed {
  readonly timeMs: number
  readonly isTimeSaid?: boolean | undefined
  readonly budget?: string | undefined
  readonly runsTests?: boolean
  /** Of the suite that this is a test of. */
  readonly pace?: Pace | undefined
  readonly replays: number
  readonly maxFindings: number
  readonly confirm: number
  /** Replays at the same time at most; left out, by the cores. */
  readonly atOnce?: number | undefined
  readonly isolation?: Isolation | undefined
  readonly hooks?: Hooks | undefined
  /** Replays at the same time of those who make them elsewhere, each with files and a network of its own. */
  readonly elsewhere?: number | undefined
}

const NOTHING: Own = { files: false, network: false, covers: () => false }
/** Where each has files of its own, and where nothing is known but that the recorded run wrote none. */
const MOST_WITH_FILES = 4
const MOST_WITHOUT = 2

/** A run of tests in which nothing fails is looked at for so much of the time it took recorded, so that all of it takes three times as long as without Heddle. A short one longer, and one replay there is always. */
const SUITE_SHARE = 3 / 4
export const SUITE_LEAST_MS = 2000
/** A walk over what was recorded, and predictions. */
const LOOK_MS = 300

type Times = Pick<Allowed, 'timeMs' | 'isTimeSaid' | 'budget' | 'runsTests'>

const isUsual = ({ isTimeSaid = false, budget, runsTests = false }: Times): boolean => runsTests && budget === undefined && !isTimeSaid

/** Milliseconds for everything after a recorded run that took so long. */
export function timeAfter(recordedMs: number, { timeMs, budget, ...times }: Times): number {
  if (isUsual({ timeMs, budget, ...times })) return Math.min(timeMs, Math.max(SUITE_LEAST_MS, SUITE_SHARE * recordedMs))
  const allowance = budget === undefined ? undefined : allowanceOf(budget)
  return allowance === undefined ? timeMs : Math.min(timeMs, Math.max(0, allowedMs(allowance, recordedMs) - recordedMs))
}

/** A sentence, where it was the budget that ended a check before everything was replayed. */
export function budgetNote({ ms }: Pick<Recording, 'ms'>, options: Times, over: boolean): string[] {
  const after = timeAfter(ms, options)
  if (!over || after === options.timeMs) return []
  if (isUsual(options))
    return [
      `Tests are analysed for three quarters of the time they took recorded (${(ms / 1000).toFixed(1)} s), and for ${SUITE_LEAST_MS / 1000} s or one replay at least; that was used up. The next check goes on with the orders that are left. To try them now: --budget 5x, or --time 60.`,
    ]
  return [
    `The budget of ${options.budget} was used up: ${(ms / 1000).toFixed(1)} s by the recorded run, ${(after / 1000).toFixed(1)} s after it.`,
  ]
}

/** `start`: a moment of performance.now(). `recordedMs`: what the recorded run took. */
export function newBudget(start: number, run: Pick<Run, 'meets'>, recordedMs: number, options: Allowed, busy = busyness): Budget {
  const given = options.pace
  let after = given ? Math.min(options.timeMs, Math.max(LOOK_MS, given.leftMs())) : timeAfter(recordedMs, options)
  let pace = given ?? (isUsual(options) ? new CheckPace(after, recordedMs, start) : undefined)
  let forCause = { replays: 0, ms: 0 }
  return {
    get forCause() {
      return forCause
    },
    get deadline() {
      return start + after
    },
    get pace() {
      return pace
    },
    failed() {
      pace = undefined
      if (given || isUsual(options)) after = options.timeMs
      // On a busy machine replays take longer.
      if (options.isTimeSaid === false && options.budget === undefined) after = Math.max(after, options.timeMs * busy())
      forCause = { replays: Math.min(MOST_FOR_CAUSE, Math.floor(options.replays * FOR_CAUSE)), ms: after * FOR_CAUSE }
    },
    replaysLeft: options.replays,
    findings: options.maxFindings,
    confirm: options.confirm,
    // Asked for when the plain replays are over: they may have shown that views do not suit the program.
    get atOnce() {
      return atOnce(run, options)
    },
  }
}

/** Hooks are run one at a time, and what is put back is there once. */
function atOnce(run: Pick<Run, 'meets'>, { isolation, hooks, elsewhere, atOnce: asked }: Allowed): number {
  if (elsewhere !== undefined) return elsewhere
  if (hooks?.beforeEach !== undefined || hooks?.afterEach !== undefined || isolation?.copies) return 1
  if (run.meets(isolation ?? NOTHING)) return 1
  return asked ?? Math.min(isolation?.files ? MOST_WITH_FILES : MOST_WITHOUT, availableParallelism())
}
