/** Where a run with nothing held went another way than the recorded one, in terms of the program: the first turn that differs. */
import type { LoopView } from '../causal/loop/turns.ts'

/** Undefined where every turn of the recorded run came in its place, or where there is nothing to compare. */
export function firstDifference(recorded: LoopView | undefined, run: LoopView | undefined): string | undefined {
  if (recorded === undefined || run === undefined) return undefined
  let turn = 1
  while (turn < recorded.turnCount && turn < run.turnCount && keyOf(recorded, turn) === keyOf(run, turn)) turn++
  if (turn >= recorded.turnCount) return undefined
  const then = said(recorded, turn)
  if (turn >= run.turnCount) return `It ended before turn ${turn} of the recorded run, ${then}.`
  const now = said(run, turn)
  if (!has(recorded, keyOf(run, turn))) return `Turn ${turn} was ${now}, which the recorded run did not have there: it had ${then}.`
  const later = has(run, keyOf(recorded, turn))
  return `Turn ${turn} was ${now}, which came ${later ? 'after' : 'later and without'} ${then} in the recorded run.`
}

const keyOf = (view: LoopView, turn: number): string => `${view.labelOf(turn)} ${view.turnNth[turn]}`

function has(view: LoopView, key: string): boolean {
  for (let turn = 1; turn < view.turnCount; turn++) if (keyOf(view, turn) === key) return true
  return false
}

function said(view: LoopView, turn: number): string {
  const site = view.trace.siteName(view.turnEvent[turn]!).split(' ', 1)[0]!
  return site === '' ? view.nameOf(turn) : `${view.nameOf(turn)} (${site})`
}
