/** The decision of a branch with other values of its inputs, in a form that can be compared. */
import { valueText } from '../trace/values.ts'
import { resultUnder, type Given } from './evaluate.ts'
import { UNKNOWN } from './known.ts'
import { outcomeFor } from './outcome.ts'
import type { Paths } from './paths.ts'

/** UNKNOWN where nobody can tell. */
export function decisionOf(paths: Paths, branch: number, valueOf: (input: number) => Given): string | typeof UNKNOWN {
  const outcome = outcomeFor(paths.kindOf(branch), resultUnder(paths.expressions, paths.ofRow(branch), valueOf))
  return outcome === UNKNOWN ? UNKNOWN : valueText(outcome)
}
