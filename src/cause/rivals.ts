/**
 * Two conflicts may both pass the experiments of prove.ts, because what delays one delays the other, too. The failure has to stay away as long as a cause is in its recorded order, also
 * where the other conflict alone is turned round: if it does not, the one is not the cause.
 */
import { LoopView } from '../causal/loop/turns.ts'
import type { FailedRun } from '../confirm/confirm.ts'
import type { Rerun } from '../confirm/run.ts'
import type { Saved } from '../schedule/saved.ts'
import type { DelaySchedule, Schedule, StepSchedule } from '../schedule/schedule.ts'
import type { Joined } from '../trace/joined.ts'
import { NONE, type Trace } from '../trace/trace.ts'
import * as loops from './loop-trials.ts'
import { pairsOf, type Pair } from './pairs.ts'
import type { Try } from './prove.ts'
import { eventOf, sameStep } from './same-step.ts'
import * as steps from './thread-trials.ts'

/** Does it fail with `other` turned round and `named` as it was recorded? Two replays at most. */
export async function failsWithout(named: Saved, other: Saved, { run: recorded }: Rerun, attempt: Try): Promise<boolean> {
  const pairs = pairsOf(named.observed, named.failing)
  const [turned] = pairsOf(other.observed, other.failing)
  const { schedule } = named
  if (pairs.length === 0 || !turned) return false
  if (schedule.kind === 'delays' && recorded?.loop) return onLoop(recorded.loop, schedule, pairs, turned, attempt)
  if (schedule.kind === 'steps' && recorded?.threads) return amongThreads(recorded.threads, schedule, pairs, turned, attempt)
  return false
}

async function onLoop(loop: Trace, schedule: DelaySchedule, pairs: readonly Pair[], turned: Pair, attempt: Try): Promise<boolean> {
  const own = loops.alone(new LoopView(loop), schedule, turned)
  // With the schedule itself, and the one as recorded, it was tried already.
  if (!own || loops.isSame(own, schedule)) return false
  const ended = await attempt(own)
  return ended?.same === true && failsAsRecorded(pairs, ended.run, own, { loop }, attempt)
}

async function amongThreads(
  recorded: Joined,
  schedule: StepSchedule,
  pairs: readonly Pair[],
  turned: Pair,
  attempt: Try,
): Promise<boolean> {
  const own = steps.alone(recorded, schedule, turned)
  const ended = own && (await attempt(own.schedule))
  return ended?.same === true && failsAsRecorded(pairs, ended.run, own!.schedule, { threads: recorded }, attempt)
}

/** A run fails by this schedule. Does it with these pairs in their recorded order, be it there, or when they are kept so? Two replays at most. */
export async function failsAsRecorded(
  pairs: readonly Pair[],
  failed: FailedRun,
  schedule: Schedule,
  recorded: FailedRun,
  attempt: Try,
): Promise<boolean> {
  if (pairs.length === 0) return false
  if (schedule.kind === 'delays' && recorded.loop && failed.loop) {
    const [view, there] = [new LoopView(recorded.loop), new LoopView(failed.loop)]
    const isKept = (run: LoopView, by: DelaySchedule): boolean => pairs.every((pair) => loops.order(run, pair, by) === 'recorded')
    if (isKept(there, schedule)) return true
    for (const kept of [loops.asRecorded(view, there, schedule, pairs), loops.inTime(schedule, pairs)]) {
      const again = kept && (await attempt(kept))
      if (again?.same === true && again.run.loop && isKept(new LoopView(again.run.loop), kept!)) return true
    }
    return false
  }
  const { threads } = recorded
  if (schedule.kind !== 'steps' || !threads || !failed.threads) return false
  const isKept = (run: Joined): boolean => pairs.every((pair) => isAsRecorded(threads, run, pair))
  if (isKept(failed.threads)) return true
  const kept = steps.asRecorded(threads, failed.threads, schedule, pairs[0]!)
  const again = kept && (await attempt(kept.schedule))
  return again?.same === true && again.run.threads !== undefined && isKept(again.run.threads)
}

/** Has a run of threads this pair in its recorded order? */
export function isAsRecorded(recorded: Joined, run: Joined, { first, second }: Pair): boolean {
  const order = run.trace.recordedOrder()
  const [x, y] = [first, second].map((place) => {
    const there = sameStep(recorded, place, run)
    const e = there ? eventOf(run, there) : NONE
    return e === NONE ? Infinity : order.indexOf(e)
  })
  return x! < y!
}
