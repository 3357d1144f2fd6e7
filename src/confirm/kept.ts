/** What a check stores in `.heddle`, and what the next one reuses: schedules that failed are replayed first. */
import type { Recording } from '../frontends/contract.ts'
import type { Store } from '../store/store.ts'
import type { Finding } from './confirm.ts'
import { FLAKY } from './flaky.ts'
import { parseSaved, type Saved } from '../schedule/saved.ts'

/** Schedules of the same command that failed before. */
export function earlierFailures(store: Store, { command, timers }: Pick<Recording, 'command' | 'timers'>): Saved[] {
  return store.ids('schedules').flatMap((id) => {
    const saved = parseSaved(store.get('schedules', id), id)
    if ('wrong' in saved) return []
    return saved.schedule.timers === timers && saved.schedule.command.join('\0') === command.join('\0') ? [saved] : []
  })
}

/**
 * A fingerprint is one finding: what failed before may be predicted again, and of one cause several orders may be tried. The one that failed
 * stays, else the first fresh one.
 */
export function onePerFingerprint(findings: readonly Finding<Saved>[]): Finding<Saved>[] {
  const best = new Map<string, Finding<Saved>>()
  for (const finding of findings) {
    const known = best.get(finding.prediction.fingerprint)
    if (!known || (known.status !== 'FAILED' && (known.earlier || finding.status === 'FAILED')))
      best.set(finding.prediction.fingerprint, finding)
  }
  return [...best.values()]
}

/** Findings of tests have their schedules beside the tests: src/runners/schedules.ts. */
export function keep(store: Store, { folder }: Pick<Recording, 'folder'>, findings: readonly Finding<Saved>[]): void {
  for (const { prediction, status, replays, failure, violation, note, branchClass, cause } of findings) {
    if (status === 'PREDICTED') continue
    store.put('findings', prediction.fingerprint, {
      ...prediction,
      status,
      replays,
      failure,
      violation,
      note,
      ...(branchClass ? { branchClass } : {}),
      ...(cause ? { cause } : {}),
      run: store.nameOfRun(folder),
    })
    // What fails by itself needs no schedule.
    if (status === 'FAILED' && !prediction.test && prediction.kind !== FLAKY) store.put('schedules', prediction.fingerprint, prediction)
  }
}
