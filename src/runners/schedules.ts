/**
 * Committed schedules of tests, like snapshots: `__schedules__/NAME.json` beside a test file has the failures found in it, by test. They are replayed
 * first. One that still fails fails the test; one that does not is fixed, or stale if the code no longer follows it; `--update` drops both.
 */
import { basename, dirname, join } from 'node:path'
import { isRecord } from '../base/objects.ts'
import { HeddleError } from '../errors.ts'
import type { Finding } from '../confirm/confirm.ts'
import { parseSaved, type Saved } from '../schedule/saved.ts'
import type { TestName } from '../schedule/schedule.ts'
import { lookFolder, ownFolder, readOwn, removeOwnFile, writeOwn } from '../store/own-folder.ts'

const VERSION = 1
const FOLDER = '__schedules__'

interface ScheduleFile {
  readonly heddle: typeof VERSION
  readonly tests: Readonly<Record<string, readonly unknown[]>>
}

export const schedulesOf = (file: string): string => join(dirname(file), FOLDER, `${basename(file)}.json`)

const keyOf = ({ name, nth = 1 }: TestName): string => (nth === 1 ? name : `${name} #${nth}`)

/** Those of one test, and sentences on what could not be read. */
export function readSchedules(test: TestName): { readonly saved: readonly Saved[]; readonly wrong: readonly string[] } {
  const path = schedulesOf(test.file)
  const stored = fileOf(test)
  if (stored === 'none') return { saved: [], wrong: [] }
  if ('fault' in stored) return { saved: [], wrong: [stored.fault] }
  const saved: Saved[] = []
  const wrong: string[] = []
  for (const [i, one] of schedulesIn(stored, test).entries()) {
    const parsed = parseSaved(one, `${i + 1}`)
    if ('wrong' in parsed) wrong.push(`Schedule ${i + 1} of "${test.name}" in ${path} cannot be used: ${parsed.wrong}.`)
    else saved.push(parsed)
  }
  return { saved, wrong }
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
  const gone = new Set<unknown>((update ? [...fixed, ...stale] : []).map((f) => f.prediction.fingerprint))
  const adds = update || !isCi() ? failed : []
  if (gone.size === 0 && adds.length === 0) return false
  const path = schedulesOf(test.file)
  const stored = fileOf(test)
  if (stored !== 'none' && 'fault' in stored) return false
  const before = stored === 'none' ? [] : schedulesIn(stored, test)
  const ids = new Set(before.map(idOf))
  const fresh = adds.filter((f) => !ids.has(f.prediction.fingerprint)).map((f) => committedForm(f.prediction))
  const after = [...before.filter((one) => !gone.has(idOf(one))), ...fresh]
  if (fresh.length === 0 && after.length === before.length) return false
  const tests = new Map(stored === 'none' ? [] : Object.entries(stored.tests)).set(keyOf(test), after)
  if (after.length === 0) tests.delete(keyOf(test))
  if (tests.size === 0) removeOwnFile(path)
  else {
    ownFolder(dirname(test.file), FOLDER)
    const sorted = [...tests].sort(([a], [b]) => (a < b ? -1 : 1))
    writeOwn(path, [`${JSON.stringify({ heddle: VERSION, tests: Object.fromEntries(sorted) }, null, 2)}\n`])
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

/** What is there, not yet looked at: parseSaved does that, one by one. `fault`: a sentence on why it is left alone. */
function fileOf({ file }: TestName): ScheduleFile | 'none' | { readonly fault: string } {
  const path = schedulesOf(file)
  const other = { fault: `${path} is no file of schedules (or of another version); it is left alone.` }
  try {
    const text = lookFolder(dirname(file), FOLDER) === undefined ? undefined : readOwn(path)
    if (text === undefined) return 'none'
    const json: unknown = JSON.parse(text)
    if (!isRecord(json) || json['heddle'] !== VERSION || !isRecord(json['tests'])) return other
    const { tests } = json
    return Object.values(tests).every((one) => Array.isArray(one)) ? { heddle: VERSION, tests: tests as ScheduleFile['tests'] } : other
  } catch (error) {
    if (error instanceof SyntaxError) return other
    if (error instanceof HeddleError) return { fault: `${error.fact}. ${error.remedy}.` }
    throw error
  }
}

/** Names of tests may be anything, `constructor` too. */
const schedulesIn = ({ tests }: ScheduleFile, test: TestName): readonly unknown[] =>
  Object.hasOwn(tests, keyOf(test)) ? tests[keyOf(test)]! : []

const idOf = (one: unknown): unknown => (isRecord(one) ? one['fingerprint'] : undefined)
