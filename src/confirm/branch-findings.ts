/**
 * Schedule-sensitive branches among the findings of a check. Any replay may show some: a branch without a prediction, or whose own schedule did not
 * flip it, becomes a finding with the schedule under which it was seen. Each gets a class by the effect of its flip.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import { isData, type Flip } from './branches.ts'
import type { BranchClass, Finding, Printed } from './confirm.ts'
import type { Determinism } from './determinism.ts'
import { worse, type Effect } from './effect.ts'
import type { Saved } from '../schedule/saved.ts'

const keyOf = ({ site, kind }: { site: string; kind: string }): string => `${site} ${kind}`

export function withBranches(findings: readonly Finding<Saved>[], determinism: Determinism): Finding<Saved>[] {
  const alone = new Set(determinism.flips.map(keyOf))
  const seen = new Map<string, { flip: Flip; effect: Effect; by: Finding<Saved> }>()
  for (const finding of findings) {
    for (const flip of finding.flips ?? []) {
      const key = keyOf(flip)
      // Names of temporary files and the like: another one in every run.
      if (isData(flip.kind) && alone.has(key)) continue
      const known = seen.get(key)
      const effect = worse(known?.effect, finding.effect ?? 'varies')
      const own = finding.prediction.branch !== undefined && keyOf(finding.prediction.branch) === key
      // Its own schedule shows it best; then the one with the worst effect.
      const better = !known || own || (effect !== known.effect && keyOf(known.by.prediction.branch ?? { site: '', kind: '' }) !== key)
      seen.set(key, { flip, effect, by: better ? finding : known.by })
    }
  }
  const result: Finding<Saved>[] = []
  const shown = new Set<string>()
  for (const finding of findings) {
    const branch = finding.prediction.branch
    if (!branch) {
      result.push(finding)
      continue
    }
    const known = seen.get(keyOf(branch))
    const flippedIt = known?.by === finding
    if (known && !flippedIt) continue // shown under another schedule
    if (!known) result.push(finding)
    else {
      shown.add(keyOf(branch))
      const now = { ...branch, flipped: known.flip.flipped, recorded: known.flip.recorded }
      result.push({
        ...finding,
        prediction: { ...finding.prediction, branch: now },
        branchClass: classOf(known.flip, known.effect, alone, finding.printed),
      })
    }
  }
  for (const [key, { flip, effect, by }] of seen) {
    if (shown.has(key)) continue
    result.push({
      ...by,
      prediction: {
        ...by.prediction,
        kind: 'branch',
        pattern: 'schedule-sensitive branch',
        branch: { ...flip },
        sites: [...new Set([flip.site, ...by.prediction.sites])],
        fingerprint: fingerprintOf(['branch', flip.kind, flip.site]),
        summary: `The ${flip.kind} at ${flip.site.replace(/:(\d+):\d+/, ':$1')} goes the other way under this schedule.`,
      },
      status: by.status === 'FAILED' ? 'FAILED' : 'REPRODUCED',
      branchClass: classOf(flip, effect, alone, by.printed),
    })
  }
  return result
}

function classOf(flip: Flip, effect: Effect, alone: ReadonlySet<string>, printed: Printed | undefined): BranchClass {
  if (effect === 'failed') return { class: 'harmful', why: 'The run that took the other branch failed.' }
  if (effect === 'output') return { class: 'harmful', why: `The run that took the other branch printed ${otherText(printed)}.` }
  if (flip.waits)
    return {
      class: 'ad hoc synchronization',
      why: 'It is a loop that only waits, and under the other schedule it waits longer or shorter.',
    }
  if (effect === 'same') return { class: 'benign', why: 'The run that took the other branch ended, and printed, as usual.' }
  if (effect === 'lines') return { class: 'unclear', why: 'The run that took the other branch printed the same lines in another order.' }
  if (alone.has(keyOf(flip))) return { class: 'unclear', why: 'It also goes the other way without any delay.' }
  return { class: 'unclear', why: 'What the program prints differs between runs without any delay.' }
}

/** `"no columns", not "id, name"` */
const otherText = (printed: Printed | undefined): string =>
  printed === undefined
    ? 'something else'
    : `"${printed.now}"${printed.was === '' ? ', which plain runs do not' : `, not "${printed.was}"`}`
