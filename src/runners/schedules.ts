/**
 * Committed schedules of tests, like snapshots: `__schedules__/NAME.json` beside a test file holds what failed in it, by test. They are replayed
 * first. One that still fails fails the test; one that does not is fixed, or stale when the code has gone another way; `--update` drops both.
 */
import { readJson, writeJson } from '../base/json-file.ts'
import { existsSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import type { Finding } from '../confirm/confirm.ts'
import { parseSaved, type Saved } from '../schedule/saved.ts'
import type { TestName } from '../schedule/schedule.ts'

const VERSION = 1

interface ScheduleFile {
  readonly heddle: typeof VERSION
  readonly tests: Record<string, unknown[]>
}

export const schedulesOf = (file: string): string => join(dirname(file), '__schedules__', `${basename(file)}.json`)

const keyOf = ({ name, nth = 1 }: TestName): string => (nth === 1 ? name : `${name} #${nth}`)

/** Those of one test, and sentences on what could not be read. */
export function readSchedules(test: TestName): { readonly saved: readonly Saved[]; readonly notes: readonly string[] } {
  const path = schedulesOf(test.file)
  if (!existsSync(path)) return { saved: [], notes: [] }
  const stored = fileAt(path)
  if (stored === undefined) return { saved: [], notes: [`${path} is no file of schedules (or of another version); it is left alone.`] }
  const saved: Saved[] = []
  const notes: string[] = []
  for (const [i, one] of (stored.tests[keyOf(test)] ?? []).entries()) {
    const parsed = parseSaved(one, `${i + 1}`)
    if ('wrong' in parsed) notes.push(`Schedule ${i + 1} of "${test.name}" in ${path} cannot be used: ${parsed.wrong}.`)
    else saved.push(parsed)
  }
  return { saved, notes }
}

export interface Compared {
  readonly failed: readonly Finding<Saved>[]
  readonly fixed: readonly Finding<Saved>[]
  readonly stale: readonly Finding<Saved>[]
}

/** What became of the committed ones. */
export function compare(findings: readonly Finding<Saved>[], committed: readonly Saved[]): Compared {
  const known = new Set(committed.map((saved) => saved.fingerprint))
  const old = findings.filter((f) => known.has(f.prediction.fingerprint))
  return {
    failed: findings.filter((f) => f.status === 'FAILED'),
    fixed: old.filter((f) => f.status === 'REPRODUCED'),
    stale: old.filter((f) => f.status === 'DIVERGED' || f.status === 'NOT REACHED' || f.status === 'TIMED OUT'),
  }
}

/** New failures are added, unless this is a CI run; with `update` what is fixed or stale goes. Whether the file has changed. */
export function keepSchedules(test: TestName, { failed, fixed, stale }: Compared, update: boolean): boolean {
  const gone = new Set((update ? [...fixed, ...stale] : []).map((f) => f.prediction.fingerprint))
  const adds = update || !isCi() ? failed : []
  if (gone.size === 0 && adds.length === 0) return false
  const path = schedulesOf(test.file)
  const stored = fileAt(path)
  if (stored === undefined && existsSync(path)) return false
  const before = (stored?.tests[keyOf(test)] ?? []) as Partial<Saved>[]
  const fresh = adds
    .filter((f) => !before.some((one) => one.fingerprint === f.prediction.fingerprint))
    .map((f) => committedForm(f.prediction))
  const after = [...before.filter((one) => !gone.has(one.fingerprint ?? '')), ...fresh]
  if (fresh.length === 0 && after.length === before.length) return false
  const tests = { ...stored?.tests, [keyOf(test)]: after }
  if (after.length === 0) delete (tests as Record<string, unknown>)[keyOf(test)]
  if (Object.keys(tests).length === 0) rmSync(path, { force: true })
  else {
    makeFolder(dirname(path))
    writeJson(path, { heddle: VERSION, tests: Object.fromEntries(Object.entries(tests).sort(([a], [b]) => (a < b ? -1 : 1))) })
  }
  return true
}

/** Paths of this machine stay out: the runner knows how to start the test. */
function committedForm({ fingerprint, kind, pattern, property, summary, sites, locations, why, schedule }: Saved): unknown {
  return {
    fingerprint,
    kind,
    pattern,
    ...(property ? { property } : {}),
    summary,
    sites,
    locations,
    why,
    schedule: { ...schedule, command: ['node'] },
  }
}

const isCi = (): boolean => !['', '0', 'false', undefined].includes(process.env['CI'])

function fileAt(path: string): ScheduleFile | undefined {
  const json = readJson(path) as Partial<ScheduleFile> | undefined
  return json?.heddle === VERSION && typeof json.tests === 'object' && json.tests !== null ? (json as ScheduleFile) : undefined
}
