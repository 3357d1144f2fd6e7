/** The visible effect of a schedule: does the program fail, and does it print what plain runs print? */
import type { Determinism } from './determinism.ts'
import type { Outcome } from './outcome.ts'
import type { ReplayRun } from './run.ts'

/**
 * `lines`: the same lines in another order. `varies`: plain runs differ among themselves, so nobody can tell. Worse ones come first.
 */
export const EFFECTS = ['failed', 'output', 'varies', 'lines', 'same'] as const
export type Effect = (typeof EFFECTS)[number]

export function effectOf(run: ReplayRun, outcome: Outcome, { outputs, differed, shapes }: Determinism): Effect {
  if (outcome.result === 'failed') return shapes.has(outcome.failure.shape) ? 'varies' : 'failed'
  if (run.stopped !== undefined || outputs.length === 0 || differed.length > 0) return 'varies'
  if (outputs.some((output) => output !== outputs[0])) return 'varies'
  if (run.stdout === outputs[0]) return 'same'
  return sorted(run.stdout) === sorted(outputs[0]!) ? 'lines' : 'output'
}

export const worse = (a: Effect | undefined, b: Effect): Effect => (a !== undefined && EFFECTS.indexOf(a) <= EFFECTS.indexOf(b) ? a : b)

const sorted = (text: string): string => text.split('\n').sort().join('\n')
