/**
 * Of an update that is broken into: does it also fail when nothing is broken into, because one flow has done all that it does there before the other begins? Then the order is
 * the cause, and no lock would help. Asked on both sides, but for one that the recorded run has. The run must be as it was asked for: who comes first and looks may act on it
 * now, and be broken into itself.
 */
import { LoopView } from '../causal/loop/turns.ts'
import type { Rerun, ReplayRun } from '../confirm/run.ts'
import type { Saved } from '../schedule/saved.ts'
import { areApart, flowsOfLoop, flowsOfThreads, type Flows } from './flows.ts'
import * as loops from './loop-trials.ts'
import { isSamePlace, placeOf, type Pair } from './pairs.ts'
import { tried, type Try } from './prove.ts'
import * as steps from './thread-trials.ts'

export async function failsUnbroken(prediction: Saved, { run: recorded }: Rerun, attempt: Try): Promise<boolean> {
  const { failing, schedule, locations } = prediction
  const [begin, middle] = failing.map(({ chain }) => chain)
  // Of an update that breaks in, both steps are told.
  const isRegion = failing.length === 3 || (failing.length === 4 && failing[2]!.chain === middle)
  if (!isRegion || begin === middle || failing.at(-1)!.chain === middle) return false
  const chains = [begin!, middle!] as const
  const [location = ''] = locations
  if (schedule.kind === 'steps' && recorded?.threads) {
    const { threads } = recorded
    for (const pair of asides(flowsOfThreads(threads, chains, location))) {
      const isAsAsked = (run: ReplayRun): boolean => run.threads !== undefined && areApart(flowsOfThreads(run.threads, chains, location))
      if ((await tried(steps.alone(threads, schedule, pair)?.schedule, attempt, isAsAsked)) === 'failed') return true
    }
  }
  if (schedule.kind !== 'delays' || !recorded?.loop) return false
  const view = new LoopView(recorded.loop)
  const flows = flowsOfLoop(view, chains, location)
  if (!flows) return false
  let isOpen = false
  for (const pair of asides(flows)) {
    const isAsAsked = (run: ReplayRun): boolean => {
      const there = run.loop && flowsOfLoop(new LoopView(run.loop), chains, location)
      return there !== undefined && areApart(there)
    }
    const ended = await tried(loops.alone(view, schedule, pair), attempt, isAsAsked)
    if (ended === 'failed') return true
    isOpen ||= ended !== 'passed'
  }
  return isOpen && isBrokenAsRecorded(flows, prediction)
}

/** The pairs to turn round so that one flow comes wholly before the other. */
function asides([a, b]: Flows): Pair[] {
  const sides = [
    [a[0], b.at(-1)],
    [b[0], a.at(-1)],
  ] as const
  return sides.flatMap(([first, second]) => (first && second && first.at < second.at ? [{ first: first.place, second: second.place }] : []))
}

/**
 * Has the recorded run, which does not fail, an update of one of these flows that the other breaks into? Or does the other do in the recorded run, too, between the two
 * steps that are told what it does there in the failing run? Then that is not what makes it fail.
 */
function isBrokenAsRecorded([a, b]: Flows, { failing }: Saved): boolean {
  for (const [own, other] of [
    [a, b],
    [b, a],
  ] as const)
    for (const [i, read] of own.entries()) {
      const write = own[i + 1]
      if (!write?.writes || read.writes) continue
      if (other.some(({ at, writes }) => writes && at > read.at && at < write.at)) return true
    }
  const [begin, middle, end] = failing
  if (failing.length !== 3) return false
  const from = a.find(({ place }) => isSamePlace(place, placeOf(begin!)))
  const to = a.findLast(({ place }) => isSamePlace(place, placeOf(end!)))
  const isWrite = middle!.accesses[0]?.access === 'write'
  return from !== undefined && to !== undefined && b.some(({ at, writes }) => at > from.at && at < to.at && writes === isWrite)
}
