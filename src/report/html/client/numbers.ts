/**
 * The numbers of the flipped events of a picture. An event that a row of the finding names has the number of that step in the story, in both runs;
 * several events of one row share it. What no row names, as an exception at the end, has a number after those.
 */
import type { Picture, PictureRun } from '../../../picture/picture.ts'
import type { StoryStep } from '../../story.ts'

export type Numbers = ReadonlyMap<number, number>

/** More events whose order decides are not compared one by one. */
const FEW = 20

/** By event of each run. `steps`: the story; without it, and in pictures that do not know their rows, the place in the failing run is the number. */
export function numbersOf(
  { observed, failing }: Picture,
  steps: readonly StoryStep[],
): { readonly observed: Numbers; readonly failing: Numbers } {
  const [before, after] = [observed, failing].map(({ flipped, does }) =>
    flipped.filter((e) => e >= 0 && e < does.length).toSorted((a, b) => a - b),
  )
  const inStory = steps.length > 0 && observed.rows !== undefined && failing.rows !== undefined
  const there = new Map<number, number>()
  const here = new Map<number, number>()
  if (inStory) {
    const byFailing = new Map(steps.map((step) => [step.failing, step.failing]))
    const byRecorded = new Map(steps.map((step) => [step.recorded, step.failing ?? step.recorded]))
    name(failing, byFailing, there)
    name(observed, byRecorded, here)
    for (const e of after!) if (!there.has(e) && here.has(failing.same[e] ?? -1)) there.set(e, here.get(failing.same[e]!)!)
  }
  let next = inStory ? steps.length : 0
  for (const e of after!) if (!there.has(e)) there.set(e, ++next)
  next = Math.max(next, ...there.values())
  for (const e of before!) if (!here.has(e) && there.has(observed.same[e] ?? -1)) here.set(e, there.get(observed.same[e]!)!)
  // What runs in the other order may count as another event, and is still the same step.
  const used = new Set(here.values())
  const left = after!.filter((e) => !used.has(there.get(e)!))
  for (const e of before!) {
    if (here.has(e)) continue
    const like = after!.length <= FEW ? left.findIndex((f) => alike(observed, e, failing, f)) : -1
    here.set(e, like < 0 ? ++next : there.get(left.splice(like, 1)[0]!)!)
  }
  return { observed: here, failing: there }
}

function name(
  { flipped, rows = [] }: PictureRun,
  numberOf: ReadonlyMap<number | undefined, number | undefined>,
  into: Map<number, number>,
): void {
  for (const [i, e] of flipped.entries()) {
    const number = rows[i]! > 0 ? numberOf.get(rows[i]) : undefined
    if (number !== undefined) into.set(e, number)
  }
}

const laneIn = ({ blocks }: PictureRun, event: number): number => blocks.find(({ from, to }) => from <= event && event < to)?.lane ?? -1
const alike = (a: PictureRun, e: number, b: PictureRun, f: number): boolean =>
  a.does[e] === b.does[f] && a.site[e] === b.site[f] && laneIn(a, e) === laneIn(b, f)
