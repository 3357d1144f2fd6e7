/**
 * Findings of one failure are one finding: orders that make the program fail in the same way have one cause, or cannot be distinguished. The one that
 * explains it best stands for all, and the others are listed with it (`also`). Findings that did not fail stay separate.
 */
import type { Saved } from '../schedule/saved.ts'
import type { Finding } from './confirm.ts'
import { isOutside } from '../predict/loop/shape.ts'
import { AS_RECORDED } from './as-recorded.ts'
import { FLAKY } from './flaky.ts'

/**
 * A row or key that somebody changed between two requests that belong together explains best, if its order was seen; then what violates a property, then another order
 * that was seen; a branch by itself says least.
 */
const explains = ({ violation, prediction, ordered }: Finding<Saved>): number =>
  16 * Number(prediction.kind !== FLAKY && prediction.kind !== AS_RECORDED) +
  8 * Number(prediction.branch === undefined) +
  4 * Number(prediction.property !== undefined) +
  2 * Number(violation !== undefined) +
  Number(ordered) +
  7 * Number(ordered === true && prediction.kind === 'atomicity' && isOutside(prediction.locations[0] ?? ''))

/** A hang is explained best by a deadlock. */
const isDeadlock = ({ failure, prediction }: Finding<Saved>): number => Number(failure?.how === 'hang' && prediction.kind === 'deadlock')

/** Those that failed first, the best explained ones at the top; above them what fails by itself. */
export function onePerFailure(findings: readonly Finding<Saved>[]): Finding<Saved>[] {
  const failed = findings.filter((f) => f.status === 'FAILED').sort((a, b) => explains(b) - explains(a))
  const groups = new Map<string, Finding<Saved>[]>()
  for (const finding of failed) {
    const { test } = finding.prediction
    const key = `${finding.failure?.shape ?? finding.prediction.fingerprint}\n${test ? `${test.file}\n${test.name}` : ''}`
    const known = groups.get(key)
    if (known) known.push(finding)
    else groups.set(key, [finding])
  }
  const grouped = [...groups.values()].map((group) => {
    const [first, ...also] = group.toSorted((a, b) => isDeadlock(b) - isDeadlock(a))
    return also.length === 0 ? first! : { ...first!, also }
  })
  // What happens without any delay comes first, explained or not.
  const happens = (group: Finding<Saved>): boolean => [group, ...(group.also ?? [])].some((f) => f.prediction.kind === FLAKY)
  const all = [...grouped, ...findings.filter((f) => f.status !== 'FAILED')]
  return [...all.filter(happens), ...all.filter((group) => !happens(group))]
}
