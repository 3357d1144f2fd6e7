/**
 * What is kept of a prediction: enough to replay it and to explain it. This is the form of .heddle/schedules/*.json, which people commit, so reading
 * it takes nothing for granted.
 */
import { isRecord } from '../base/objects.ts'
import type { PropertyNote } from '../property/words.ts'
import type { BranchNote, OrderRow, SeenWrite } from './order.ts'
import { isUnit, readSchedule, type Unreadable } from './read.ts'
import type { Schedule, TestName, UnitName } from './schedule.ts'

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

/** A saved prediction, a stored finding or a bare schedule; or what is wrong with it. */
export function parseSaved(json: unknown, name: string): Saved | Unreadable {
  if (!isRecord(json)) return { wrong: 'it is not a JSON object' }
  const schedule = readSchedule(isRecord(json['schedule']) ? json['schedule'] : json)
  if ('wrong' in schedule) return schedule
  return {
    fingerprint: text(json['fingerprint']) || name,
    kind: text(json['kind']) || 'unknown',
    pattern: text(json['pattern']),
    ...propertyOf(json['property']),
    ...branchOf(json['branch']),
    ...testOf(json['test']),
    summary: text(json['summary']) || 'A schedule that was given as a file.',
    sites: texts(json['sites']),
    locations: texts(json['locations']),
    observed: steps(json['observed']),
    failing: steps(json['failing']),
    why: texts(json['why']),
    count: typeof json['count'] === 'number' ? json['count'] : 1,
    schedule,
  }
}

/** One without its declaration is of no use: the run would be watched for nothing. */
function propertyOf(value: unknown): { property?: SavedProperty } {
  if (!isRecord(value) || typeof value['name'] !== 'string' || typeof value['text'] !== 'string') return {}
  const binding = isRecord(value['binding']) ? value['binding'] : {}
  return {
    property: {
      name: value['name'],
      text: value['text'],
      confirm: value['confirm'] === 'failure' ? 'failure' : 'violation',
      binding: Object.fromEntries(Object.entries(binding).map(([name, bound]) => [name, text(bound)])),
      ...(typeof value['state'] === 'string' ? { state: value['state'] } : {}),
      ...(typeof value['operation'] === 'string' ? { operation: value['operation'] } : {}),
      ...(value['bothOrders'] === true ? { bothOrders: true } : {}),
      ...(value['fromBegin'] === true ? { fromBegin: true } : {}),
      ...(value['recorded'] === true ? { recorded: true } : {}),
    },
  }
}

function branchOf(value: unknown): { branch?: BranchNote } {
  if (!isRecord(value) || typeof value['site'] !== 'string' || typeof value['kind'] !== 'string') return {}
  const write = (seen: unknown): SeenWrite | undefined =>
    isRecord(seen) ? { location: text(seen['location']), value: text(seen['value']), site: text(seen['site']) } : undefined
  const [saw, sees] = [write(value['saw']), write(value['sees'])]
  return {
    branch: {
      kind: value['kind'],
      site: value['site'],
      task: text(value['task']) || 'main',
      chain: text(value['chain']),
      nth: typeof value['nth'] === 'number' ? value['nth'] : 1,
      recorded: text(value['recorded']),
      flipped: text(value['flipped']),
      ...(saw ? { saw } : {}),
      ...(sees ? { sees } : {}),
    },
  }
}

function testOf(value: unknown): { test?: SavedTest } {
  if (!isRecord(value) || typeof value['file'] !== 'string' || typeof value['name'] !== 'string') return {}
  const { file, name, nth } = value
  return { test: { file, name, ...(typeof nth === 'number' ? { nth } : {}), process: value['process'] === 'inner' ? 'inner' : 'top' } }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((v) => typeof v === 'string') : [])

function steps(value: unknown): OrderRow[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).map((step) => ({
    turn: isUnit(step['turn']) ? (step['turn'] as unknown as UnitName) : { label: '', nth: 0 },
    name: text(step['name']),
    chain: text(step['chain']),
    offLoop: step['offLoop'] === true,
    posted: text(step['posted']),
    at: typeof step['at'] === 'number' ? step['at'] : 0,
    accesses: (Array.isArray(step['accesses']) ? step['accesses'] : []).filter(isRecord).map((a) => ({
      access: text(a['access']) || 'read',
      ...(typeof a['verb'] === 'string' ? { verb: a['verb'] } : {}),
      location: text(a['location']),
      ...(typeof a['value'] === 'string' ? { value: a['value'] } : {}),
      site: text(a['site']),
    })),
  }))
}
