/** Where a plain run departed from the recorded one: the first turn that differs, in the program's terms. */
import type { LoopView } from '../causal/loop/turns.ts'

/**
 * Undefined where every turn of the recorded run came in its place and no other came, or where the recorded run has no turns to compare. `stopped`: the recorded run was
 * ended from outside, so that more turns may follow.
 */
export function firstDifference(recorded: LoopView | undefined, run: LoopView | undefined, stopped = false): string | undefined {
  if (recorded === undefined) return undefined
  if (run === undefined) return 'It left no record of its turns.'
  let [turn, other] = [nextTurn(recorded, 1), nextTurn(run, 1)]
  while (turn < recorded.turnCount && other < run.turnCount && keyOf(recorded, turn) === keyOf(run, other))
    [turn, other] = [nextTurn(recorded, turn + 1), nextTurn(run, other + 1)]
  if (turn >= recorded.turnCount)
    return stopped || other >= run.turnCount ? undefined : `After the last turn of the recorded run came another one, ${said(run, other)}.`
  const then = said(recorded, turn)
  if (other >= run.turnCount) return `It ended before turn ${turn} of the recorded run, ${then}.`
  const now = said(run, other)
  if (!has(recorded, keyOf(run, other))) return `Turn ${turn} was ${now}, which the recorded run did not have there: it had ${then}.`
  const later = has(run, keyOf(recorded, turn))
  return `Turn ${turn} was ${now}, which came ${later ? 'after' : 'later and without'} ${then} in the recorded run.`
}

/** Whether the engine goes on in a turn of its own or in the one before is no difference: it depends on how fast a module is there. */
function nextTurn(view: LoopView, from: number): number {
  let turn = from
  while (turn < view.turnCount && view.isOfEngine(turn)) turn++
  return turn
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
