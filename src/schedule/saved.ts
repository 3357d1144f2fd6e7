/**
 * What is stored of a prediction: enough to replay it and to explain it. This is the form of .heddle/schedules/*.json, which people commit, so the
 * reader treats it as untrusted.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import { isRecord } from '../base/objects.ts'
import { Fault, fields, id, take } from '../base/schema.ts'
import type { PropertyNote } from '../property/words.ts'
import type { BranchNote, OrderRow } from './order.ts'
import { readSchedule, type Unreadable } from './read.ts'
import type { Schedule, TestName } from './schedule.ts'
import { SAVED } from './shapes.ts'

export interface Saved {
  readonly fingerprint: string
  readonly kind: string
  readonly pattern: string
  /** The property or typestate it was made for. */
  readonly property?: SavedProperty | undefined
  /** The branch that goes the other way. */
  readonly branch?: BranchNote | undefined
  /** The test it was found in, by a test runner. */
  readonly test?: SavedTest | undefined
  /** What can go wrong, in one sentence. */
  readonly summary: string
  readonly sites: readonly string[]
  readonly locations: readonly string[]
  readonly observed: readonly OrderRow[]
  readonly failing: readonly OrderRow[]
  readonly why: readonly string[]
  readonly count: number
  readonly schedule: Schedule
  /** Tried where `schedule` does not come about. */
  readonly loose?: Schedule | undefined
  /** Exploration found it: how many departures from the recorded run were asked for. Not kept. */
  readonly departures?: number
}

export interface SavedProperty extends PropertyNote {
  /** The recorded run showed it: no other order is needed. */
  readonly recorded?: boolean
}

export interface SavedTest extends TestName {
  /** Where the runtime goes: src/runners/contract.ts, RunAgain. */
  readonly process: 'top' | 'inner'
}

/** Leaves out what only the predictor needs. */
export function savedOf(saved: Saved): Saved {
  const { fingerprint, kind, pattern, property, branch, test, summary, sites, locations, observed, failing, why, count, schedule, loose } =
    saved
  return {
    fingerprint,
    kind,
    pattern,
    ...(property ? { property } : {}),
    ...(branch ? { branch } : {}),
    ...(test ? { test } : {}),
    summary,
    sites,
    locations,
    observed,
    failing,
    why,
    count,
    schedule,
    ...(loose ? { loose } : {}),
  }
}

type Kept = { -readonly [K in keyof Omit<Saved, 'schedule' | 'loose'>]?: Saved[K] }

/** A saved prediction, a stored finding or a bare schedule; or what is wrong with it. What is missing has a default; what is there has to be right. */
export function parseSaved(json: unknown, name: string): Saved | Unreadable {
  if (!isRecord(json)) return { wrong: 'it is not a JSON object' }
  const inside = isRecord(json['schedule'])
  const schedule = readSchedule(inside ? json['schedule'] : json, inside ? 'schedule' : '')
  if ('wrong' in schedule) return schedule
  // A schedule that came alone has a kind of its own, which says what it is made of.
  const kept = inside ? take<Kept>(json, fields(SAVED)) : {}
  if (kept instanceof Fault) return { wrong: kept.text }
  const { fingerprint = asId(name), kind = 'unknown', pattern = '', property, branch, test, summary, count = 1, ...lists } = kept
  const { sites = [], locations = [], observed = [], failing = [], why = [] } = lists
  return {
    fingerprint,
    kind,
    pattern,
    ...propertyOf(property),
    ...(branch ? { branch: { ...NO_BRANCH, ...branch } } : {}),
    ...(test ? { test: { ...test, process: test.process === 'inner' ? 'inner' : 'top' } } : {}),
    summary: summary || 'A schedule that was given as a file.',
    sites,
    locations,
    observed: observed.map(wholeRow),
    failing: failing.map(wholeRow),
    why,
    count,
    schedule,
  }
}

/** A name of a file becomes one of a file again. */
const asId = (name: string): string => (take(name, id) instanceof Fault ? fingerprintOf([name]) : name)

const NO_BRANCH = { task: 'main', chain: '', nth: 1, recorded: '', flipped: '' }

const wholeRow = (row: OrderRow): OrderRow => ({ ...row, offLoop: row.offLoop === true })

/** One without its declaration is of no use: the run would be watched for nothing. */
function propertyOf(kept: Partial<SavedProperty> | undefined): { property?: SavedProperty } {
  if (kept?.name === undefined || kept.text === undefined) return {}
  return { property: { ...kept, name: kept.name, text: kept.text, confirm: kept.confirm ?? 'violation', binding: kept.binding ?? {} } }
}
