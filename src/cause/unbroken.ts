/**
 * Does an interrupted update also fail without the interruption, because one flow has done all its steps before the other begins? Then the order is
 * the cause, and no lock would help. Both orders are tried, except the one that the recorded run has. The replay must have the order that was asked
 * for: the flow that now comes first may act on its check and be interrupted itself.
 */
import { LoopView } from '../causal/loop/turns.ts'
import type { Trial } from '../confirm/cause.ts'
import type { Rerun, ReplayRun } from '../confirm/run.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Joined } from '../trace/joined.ts'
import { areApart, flowsOfLoop, flowsOfThreads, type Flows } from './flows.ts'
import * as loops from './loop-trials.ts'
import { isSamePlace, placeOf, type Pair } from './pairs.ts'
import { tried, type Try } from './prove.ts'
import * as steps from './thread-trials.ts'

/** `from`: the run of threads whose order is kept but for that; what a flow does only in the failing run is not in the recorded one. */
export async function unbroken(
  prediction: Saved,
  { run: recorded }: Rerun,
  attempt: Try,
  from: Joined | undefined = recorded?.threads,
): Promise<Trial> {
  const { failing, schedule, locations } = prediction
  const [begin, middle] = failing.map(({ chain }) => chain)
  // Of an update that breaks in, both steps are told.
  const isRegion = failing.length === 3 || (failing.length === 4 && failing[2]!.chain === middle)
  if (!isRegion || begin === middle || failing.at(-1)!.chain === middle) return 'not tried'
  const chains = [begin!, middle!] as const
  const [location = ''] = locations
  if (schedule.kind === 'steps' && from) {
    return onBothSides(flowsOfThreads(from, chains, location), (pair) => {
      const trial = steps.alone(from, schedule, pair)
      // Not every front end reads a run that passes.
      const isAsAsked = ({ threads, steps: made }: ReplayRun, hasFailed: boolean): boolean =>
        threads ? areApart(flowsOfThreads(threads, chains, location), hasFailed) : (made?.done ?? 0) >= trial!.lines
      return tried(trial?.schedule, attempt, isAsAsked)
    })
  }
  if (schedule.kind !== 'delays' || !recorded?.loop) return 'not tried'
  const view = new LoopView(recorded.loop)
  const flows = flowsOfLoop(view, chains, location)
  if (!flows) return 'not tried'
  const isAsAsked = (run: ReplayRun, hasFailed: boolean): boolean => {
    const there = run.loop && flowsOfLoop(new LoopView(run.loop), chains, location)
    return there !== undefined && areApart(there, hasFailed)
  }
  const ended = await onBothSides(flows, (pair) => tried(loops.alone(view, schedule, pair), attempt, isAsAsked))
  return ended === 'unclear' && isBrokenAsRecorded(flows, prediction) ? 'failed' : ended
}

/** It fails if it does so on one side, and passes if it does so on all that were not recorded. */
async function onBothSides(flows: Flows, ends: (pair: Pair) => Promise<Trial>): Promise<Trial> {
  const all: Trial[] = []
  for (const pair of asides(flows)) {
    all.push(await ends(pair))
    if (all.at(-1) === 'failed') return 'failed'
  }
  return all.length > 0 && all.every((one) => one === 'passed') ? 'passed' : 'unclear'
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
