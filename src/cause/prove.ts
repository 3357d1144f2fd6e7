/**
 * Is what a finding names the cause of the failure? Two experiments answer that (Zeller, "Why Programs Fail", chapter 12). With the named steps in
 * their recorded order and all else delayed as before, the failure has to vanish. With nothing but the named steps reversed, it has to come back.
 */
import { LoopView } from '../causal/loop/turns.ts'
import type { Cause, Trial } from '../confirm/cause.ts'
import type { FailedRun } from '../confirm/confirm.ts'
import type { Rerun, ReplayRun } from '../confirm/run.ts'
import type { Saved } from '../schedule/saved.ts'
import { instructionsOf, type DelaySchedule, type Schedule, type StepSchedule } from '../schedule/schedule.ts'
import * as loops from './loop-trials.ts'
import { pairsOf, type Pair } from './pairs.ts'
import * as steps from './thread-trials.ts'

export type Proof = Pick<Cause, 'proof' | 'asRecorded' | 'alone'>

/** A replay, and whether it fails as the finding does; undefined when no more may be made. */
export type Try = (schedule: Schedule) => Promise<{ readonly run: ReplayRun; readonly same: boolean; readonly failed: boolean } | undefined>

const NOT_TRIED: Proof = { proof: 'not proved', asRecorded: 'not tried', alone: 'not tried' }

/** `failed`: a run of the schedule. */
export async function prove(
  { observed, failing, schedule, kind, locations }: Saved,
  { run: recorded }: Rerun,
  failed: FailedRun,
  attempt: Try,
): Promise<Proof> {
  const pairs = pairsOf(observed, failing)
  if (pairs.length === 0) return NOT_TRIED
  if (schedule.kind === 'delays' && recorded?.loop && failed.loop)
    return ofLoop(
      new LoopView(recorded.loop),
      new LoopView(failed.loop),
      schedule,
      pairs,
      kind === 'atomicity' ? locations[0] : undefined,
      attempt,
    )
  if (schedule.kind === 'steps' && recorded?.threads && failed.threads)
    return ofThreads(recorded.threads, failed.threads, schedule, pairs, kind === 'atomicity', attempt)
  return NOT_TRIED
}

/** `updated`: the location of an update that is broken into. */
async function ofLoop(
  view: LoopView,
  failing: LoopView,
  schedule: DelaySchedule,
  pairs: readonly Pair[],
  updated: string | undefined,
  attempt: Try,
): Promise<Proof> {
  const orderIn = (run: ReplayRun, by: DelaySchedule | undefined): 'recorded' | 'turned' | undefined => {
    const there = run.loop && new LoopView(run.loop)
    const orders = new Set(pairs.map((pair) => there && loops.order(there, pair, by)))
    return orders.size === 1 ? [...orders][0] : undefined
  }
  // What breaks into an update may be one itself: it waits as a whole.
  const whole = updated === undefined ? pairs : pairs.map((pair) => ({ ...pair, second: loops.updateOf(view, pair.second, updated) }))
  // Two ways to keep them as recorded: it has to pass with both.
  let kept: Trial = 'not tried'
  for (const asBefore of [loops.asRecorded(view, failing, schedule, whole), loops.inTime(schedule, pairs)]) {
    const ended = await tried(asBefore, attempt, (run) => orderIn(run, asBefore) === 'recorded')
    if (kept !== 'passed' || ended === 'failed') kept = ended === 'not tried' ? kept : ended
    if (kept === 'failed') break
  }
  const own = loops.alone(view, schedule, pairs[0]!)
  // One instruction that turns this pair round is the schedule itself.
  const isOwn = own !== undefined && loops.isSame(own, schedule)
  if (!isOwn) return judged(kept, await tried(own, attempt, (run) => orderIn(run, own) === 'turned'))
  // It says nothing of this pair if it fails without it, too.
  return judged(kept, kept === 'failed' ? 'unclear' : 'failed')
}

async function ofThreads(
  recorded: NonNullable<FailedRun['threads']>,
  failing: NonNullable<FailedRun['threads']>,
  schedule: StepSchedule,
  pairs: readonly Pair[],
  isUpdate: boolean,
  attempt: Try,
): Promise<Proof> {
  const of = async (make: (pair: Pair) => steps.StepTrial | undefined): Promise<Trial> => {
    for (const pair of pairs) {
      const trial = make(pair)
      const ended = await tried(trial?.schedule, attempt, (run) => (run.steps?.done ?? 0) >= trial!.lines)
      if (ended === 'failed' || ended === 'passed') return ended
    }
    return 'unclear'
  }
  // What breaks into an update may be one itself: it waits as a whole.
  const whole = (pair: Pair): Pair => (isUpdate ? { ...pair, second: steps.updateOf(recorded, pair.second) } : pair)
  const kept = await of((pair) => steps.asRecorded(recorded, failing, schedule, whole(pair)))
  const alone = await of((pair) => steps.alone(recorded, schedule, pair))
  return judged(kept, alone)
}

/** `asAsked`: has the run the order that the experiment is about? `same`: it fails as the finding does. */
export async function tried(
  schedule: Schedule | undefined,
  attempt: Try,
  asAsked: (run: ReplayRun, same: boolean) => boolean,
): Promise<Trial> {
  if (!schedule || instructionsOf(schedule).length === 0) return 'not tried'
  const ended = await attempt(schedule)
  if (!ended) return 'not tried'
  const { run, same, failed } = ended
  if (!asAsked(run, same)) return 'unclear'
  // Another failure says nothing about this one.
  return same ? 'failed' : failed || run.stopped !== undefined ? 'unclear' : 'passed'
}

function judged(asRecorded: Trial, alone: Trial): Proof {
  const proof = alone === 'failed' ? (asRecorded === 'passed' ? 'cause' : 'one way') : asRecorded === 'passed' ? 'needed' : 'not proved'
  return { proof, asRecorded, alone }
}

/** It fails with the named steps in their recorded order, and does not when they alone are turned round. */
export const isRefuted = ({ asRecorded, alone }: Proof): boolean => asRecorded === 'failed' && alone !== 'failed'
