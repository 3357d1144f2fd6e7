/**
 * Is the program the same every time? Replayed with nothing held it has to end as the recorded run did. If it does not, a failure under a schedule
 * proves nothing about the schedule, and the report says so.
 */
import { howItEnded } from '../process/recorded.ts'
import type { SeenViolation } from '../property/seen.ts'
import { failureOf } from './outcome.ts'
import type { Flip } from './branches.ts'
import { plainSchedule } from '../schedule/schedule.ts'
import { replay, type ReplayRun, type Rerun } from './run.ts'

export interface Determinism {
  readonly runs: number
  /** How runs that differed from the recorded one ended, one sentence each. */
  readonly differed: readonly string[]
  /** How many of them failed. */
  readonly failed: number
  /** The shapes of their failures: no finding is counted for these. */
  readonly shapes: ReadonlySet<string>
  /** The shapes of what they, or the recorded run, violate: nor for these. */
  readonly violations: ReadonlySet<string>
  /** What they printed on standard output. */
  readonly outputs: readonly string[]
  /** Branches they took otherwise than the recorded run, with nothing held. */
  readonly flips: readonly Flip[]
}

/** Before anything was run. */
export const NOT_RUN: Determinism = { runs: 0, failed: 0, differed: [], shapes: new Set(), violations: new Set(), outputs: [], flips: [] }

/** `deadline` is a moment of performance.now(). */
export async function checkDeterminism(
  rerun: Rerun,
  most: number,
  deadline: number,
  recorded: readonly SeenViolation[] = [],
): Promise<Determinism> {
  const differed: string[] = []
  const shapes = new Set<string>()
  const violations = new Set(recorded.map((v) => v.shape))
  const outputs: string[] = []
  const flips: Flip[] = []
  let runs = 0
  let failed = 0
  let longest = 0
  while (runs < most && !rerun.signal?.aborted && (runs === 0 || performance.now() + longest < deadline)) {
    const left = Math.max(1000, deadline - performance.now())
    const run = await replay({ ...rerun, watchdogMs: Math.min(rerun.watchdogMs, left) }, plainSchedule(rerun.recording))
    if (run.stopped === 'interrupted') break
    runs++
    longest = Math.max(longest, run.exit.ms)
    const failure = failureOf(run, rerun.recording)
    if (failure) shapes.add(failure.shape)
    if (failure) failed++
    outputs.push(run.stdout)
    flips.push(...run.flips)
    for (const violation of run.violations) violations.add(violation.shape)
    const how = differenceOf(run, rerun, failure !== undefined)
    if (how !== undefined && !differed.includes(how)) differed.push(how)
  }
  return { runs, failed, differed, shapes, violations, outputs, flips }
}

function differenceOf(run: ReplayRun, { recording }: Rerun, failed: boolean): string | undefined {
  if (run.stopped === 'stuck' && failed) return 'it never ended'
  if (run.stopped === 'watchdog') return recording.stopped ? undefined : `it had not ended after ${Math.round(run.exit.ms / 1000)} s`
  if (failed) return howItEnded(run.exit, run.uncaught?.message)
  return undefined
}
