/** A failure that was replayed less often than asked for says why. */
import type { Saved } from '../schedule/saved.ts'
import type { Budget } from './budget.ts'
import { AS_RECORDED } from './as-recorded.ts'
import type { Finding } from './confirm.ts'
import { FLAKY } from './flaky.ts'

const TIMES = ['not', 'once', 'twice']

export function saysWhyFewer(
  finding: Finding<Saved>,
  { confirm, replaysLeft, deadline }: Pick<Budget, 'confirm' | 'replaysLeft' | 'deadline'>,
  interrupted: boolean,
): Finding<Saved> {
  const { status, replays, note, prediction } = finding
  const { runs } = replays
  // What failed without a schedule was not asked for.
  if (status !== 'FAILED' || runs === 0 || runs >= confirm || prediction.kind === FLAKY || prediction.kind === AS_RECORDED) return finding
  const why = interrupted
    ? 'the check was interrupted'
    : performance.now() >= deadline
      ? 'the time was used up'
      : replaysLeft <= 0
        ? 'the replays were used up'
        : 'there were no more replays for it'
  const said = `It was replayed ${TIMES[runs] ?? `${runs} times`} and not ${TIMES[confirm] ?? `${confirm} times`}: ${why}.`
  return { ...finding, note: note === undefined ? said : `${note} ${said}` }
}
