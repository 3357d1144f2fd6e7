/** From what a user types to a stored finding: its id, the first digits of it, or a file. */
import { Fault, fields, take, text } from '../base/schema.ts'
import type { Recording } from '../frontends/contract.ts'
import { readRecordingIn } from '../frontends/recording.ts'
import { BRANCH_CLASS, COST, FAILURE, PROOF, REPLAYS, STATUS, TRIED, VIOLATION } from '../schedule/shapes.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { ambiguousFinding, notASchedule, noSuchFinding, oldSchedule } from '../store/errors.ts'
import { Store } from '../store/store.ts'
import type { Finding } from './confirm.ts'
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
    const path = relative(root, store.pathOf(shelf, id))
    return parsed(jsonOf(store.textOf(shelf, id) ?? '', path), path, id, store)
  }
  const path = resolve(root, what)
  if (what.endsWith('.json') && existsSync(path) && statSync(path).isFile())
    return parsed(jsonIn(path), what, basename(what, '.json'), store)
  return undefined
}

export function needFinding(what: string, root: string): Found {
  const found = findFinding(what, root)
  if (found) return found
  const path = resolve(root, what)
  const store = Store.look(root)
  if (existsSync(path) && statSync(path).isFile()) return parsed(jsonIn(path), what, basename(what), store)
  throw noSuchFinding(what, [...new Set([...store.ids('findings'), ...store.ids('schedules')])])
}

/** A finding or a schedule that is there as a value. What was kept of it knows the run it was made from. */
export function parsedFinding(json: unknown, root: string): Found {
  const store = Store.look(root)
  const found = parsed(json, 'what was given', 'given', store)
  const { fingerprint } = found.finding.prediction
  const kept = found.recording ? undefined : store.get('findings', fingerprint)
  if (kept === undefined) return found
  return { ...found, recording: parsed(kept, store.pathOf('findings', fingerprint), fingerprint, store).recording }
}

const jsonIn = (path: string): unknown => jsonOf(readFileSync(path, 'utf8'), path)

function jsonOf(json: string, path: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw notASchedule(path, (error as Error).message)
  }
}

/** What stands in the file of a finding besides the prediction. In a schedule that came alone nothing does. */
const OF_FINDING = fields({
  '?status': STATUS,
  '?replays': REPLAYS,
  '?failure': FAILURE,
  '?violation': VIOLATION,
  '?note': text(),
  '?cause': fields({ proof: PROOF, ...TRIED, '?cost': fields({ ...COST, needs: text() }) }),
  '?branchClass': fields(BRANCH_CLASS),
  '?run': text(4096),
})

type OfFinding = Partial<Pick<Finding<Saved>, 'status' | 'replays' | 'failure' | 'violation' | 'note' | 'branchClass' | 'cause'>> & {
  readonly run?: string
}

function parsed(json: unknown, path: string, name: string, store: Store): Found {
  const saved = parseSaved(json, name)
  if ('wrong' in saved) throw saved.version === undefined ? notASchedule(path, saved.wrong) : oldSchedule(path, saved.version)
  const kept = take<OfFinding>(json, OF_FINDING)
  if (kept instanceof Fault) throw notASchedule(path, kept.text)
  const { status = 'PREDICTED', replays = { runs: 0, failures: 0 }, failure, violation, note, branchClass, cause, run } = kept
  return {
    finding: {
      prediction: saved,
      status,
      replays,
      failure,
      violation,
      note,
      earlier: true,
      ordered: true,
      ...(branchClass ? { branchClass } : {}),
      ...(cause ? { cause } : {}),
    },
    recording: run === undefined ? undefined : recordingOf(run, path, store),
  }
}

/** Undefined when the run is no longer there. */
function recordingOf(run: string, path: string, store: Store): Recording | undefined {
  const folder = store.runNamed(run, path)
  return folder === undefined ? undefined : readRecordingIn(folder)
}
