/** From what a user types to a stored finding: its id, the first digits of it, or a file. */
import { readJson } from '../base/json-file.ts'
import type { Recording } from '../frontends/contract.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { ambiguousFinding, notASchedule, noSuchFinding, oldSchedule } from '../store/errors.ts'
import { Store } from '../store/store.ts'
import { BRANCH_CLASSES, type BranchClass, type Finding } from './confirm.ts'
import { parseSaved, type Saved } from '../schedule/saved.ts'

export interface Found {
  readonly finding: Finding<Saved>
  /** The run it was made from, if that is still there. */
  readonly recording: Recording | undefined
}

/** Undefined when nothing is called so; an error when several are, or the file is no finding. */
export function findFinding(what: string, root: string): Found | undefined {
  const store = Store.look(root)
  const ids = [...new Set([...store.ids('findings'), ...store.ids('schedules')])]
  const matching = /^[0-9a-z]{3,}$/i.test(what) ? ids.filter((id) => id.startsWith(what)) : []
  if (matching.length > 1 && !matching.includes(what)) throw ambiguousFinding(what, matching)
  const id = matching.includes(what) ? what : matching[0]
  if (id !== undefined) {
    const shelf = store.ids('findings').includes(id) ? 'findings' : 'schedules'
    return parsed(store.get(shelf, id), store.pathOf(shelf, id), id)
  }
  const path = resolve(root, what)
  if (what.endsWith('.json') && existsSync(path) && statSync(path).isFile()) return parsed(jsonIn(path), what, basename(what, '.json'))
  return undefined
}

export function needFinding(what: string, root: string): Found {
  const found = findFinding(what, root)
  if (found) return found
  const path = resolve(root, what)
  if (existsSync(path) && statSync(path).isFile()) return parsed(jsonIn(path), what, basename(what))
  const store = Store.look(root)
  throw noSuchFinding(what, [...new Set([...store.ids('findings'), ...store.ids('schedules')])])
}

/** A finding or a schedule that is there as a value. What was kept of it knows the run it was made from. */
export function parsedFinding(json: unknown, root: string): Found {
  const found = parsed(json, 'what was given', 'given')
  const kept = Store.look(root).get('findings', found.finding.prediction.fingerprint)
  return kept === undefined || found.recording ? found : { ...found, recording: recordingOf(kept) }
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw notASchedule(path, (error as Error).message)
  }
}

/** Stored by somebody who may have edited it. */
function branchClassOf(stored: unknown): { branchClass?: BranchClass } {
  if (typeof stored !== 'object' || stored === null || !('class' in stored) || !('why' in stored)) return {}
  const known = BRANCH_CLASSES.find((name) => name === stored.class)
  return known === undefined ? {} : { branchClass: { class: known, why: String(stored.why) } }
}

function parsed(json: unknown, path: string, name: string): Found {
  const saved = parseSaved(json, name)
  if ('wrong' in saved) throw saved.version === undefined ? notASchedule(path, saved.wrong) : oldSchedule(path, saved.version)
  const stored = json as Partial<Finding<Saved>>
  return {
    finding: {
      prediction: saved,
      status: stored.status ?? 'PREDICTED',
      replays: stored.replays ?? { runs: 0, failures: 0 },
      failure: stored.failure,
      violation: stored.violation,
      note: stored.note,
      earlier: true,
      ordered: true,
      ...branchClassOf(stored.branchClass),
    },
    recording: recordingOf(json),
  }
}

/** Undefined when the run is no longer there. */
function recordingOf(stored: unknown): Recording | undefined {
  const { run } = stored as { run?: unknown }
  return typeof run === 'string' ? (readJson(join(run, 'recording.json')) as Recording | undefined) : undefined
}
