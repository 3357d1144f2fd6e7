/**
 * What is kept of a prediction: enough to replay it and to explain it. This is the form of .heddle/schedules/*.json, which people commit, so reading
 * it takes nothing for granted.
 */
import type { PropertyNote } from '../property/words.ts'
import { SCHEDULE_VERSION, type Schedule, type TestName, type TurnName } from '../runtime/js/protocol.ts'

export interface SavedAccess {
  /** `read` or `write`; of a thread also `load`, `update`, `wait` and the other words of schedules, `lock` and `unlock`. */
  readonly access: string
  readonly location: string
  readonly value?: string
  readonly site: string
}

/** One row of the two orders a report shows. */
export interface SavedStep {
  readonly turn: TurnName
  readonly name: string
  readonly chain: string
  readonly offLoop: boolean
  readonly posted: string
  readonly at: number
  readonly accesses: readonly SavedAccess[]
}

export interface Saved {
  readonly fingerprint: string
  readonly kind: string
  readonly pattern: string
  /** The property or typestate it was made for. */
  readonly property?: SavedProperty | undefined
  /** The branch that goes the other way. */
  readonly branch?: SavedBranch | undefined
  /** The test it was found in, by a test runner. */
  readonly test?: SavedTest | undefined
  /** What can go wrong, in one sentence. */
  readonly summary: string
  readonly sites: readonly string[]
  readonly locations: readonly string[]
  readonly observed: readonly SavedStep[]
  readonly failing: readonly SavedStep[]
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

export interface SavedWrite {
  readonly location: string
  readonly value: string
  readonly site: string
}

/** docs/branches.md. */
export interface SavedBranch {
  readonly kind: string
  readonly site: string
  readonly task: string
  readonly chain: string
  readonly nth: number
  readonly recorded: string
  readonly flipped: string
  readonly saw?: SavedWrite | undefined
  readonly sees?: SavedWrite | undefined
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
export function parseSaved(json: unknown, name: string): Saved | { readonly wrong: string; readonly version?: unknown } {
  if (!isObject(json)) return { wrong: 'it is not a JSON object' }
  const schedule = isObject(json['schedule']) ? json['schedule'] : json
  if (!('heddle' in schedule)) return { wrong: 'it has no "heddle" version' }
  if (schedule['heddle'] !== SCHEDULE_VERSION) return { wrong: 'its version is another', version: schedule['heddle'] }
  const problem = scheduleProblem(schedule)
  if (problem !== undefined) return { wrong: problem }
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
    schedule: schedule as unknown as Schedule,
  }
}

/** One without its declaration is of no use: the run would be watched for nothing. */
function propertyOf(value: unknown): { property?: SavedProperty } {
  if (!isObject(value) || typeof value['name'] !== 'string' || typeof value['text'] !== 'string') return {}
  const binding = isObject(value['binding']) ? value['binding'] : {}
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

function branchOf(value: unknown): { branch?: SavedBranch } {
  if (!isObject(value) || typeof value['site'] !== 'string' || typeof value['kind'] !== 'string') return {}
  const write = (seen: unknown): SavedWrite | undefined =>
    isObject(seen) ? { location: text(seen['location']), value: text(seen['value']), site: text(seen['site']) } : undefined
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
  if (!isObject(value) || typeof value['file'] !== 'string' || typeof value['name'] !== 'string') return {}
  const { file, name, nth } = value
  return { test: { file, name, ...(typeof nth === 'number' ? { nth } : {}), process: value['process'] === 'inner' ? 'inner' : 'top' } }
}

function scheduleProblem(schedule: Record<string, unknown>): string | undefined {
  const { command, timers, instructions, steps, sleeps, lastFirst, horizon, expect } = schedule
  if (!Array.isArray(command) || command.length === 0 || !command.every((w) => typeof w === 'string')) return 'it names no command'
  if (timers !== 'due' && timers !== 'latency') return '"timers" is neither due nor latency'
  if (typeof horizon !== 'number') return '"horizon" is no number'
  if (!isObject(expect) || !isTurn(expect['first']) || !isTurn(expect['then'])) return '"expect" does not name two turns'
  if (!Array.isArray(instructions)) return '"instructions" is no list'
  const bad = instructions.findIndex((i) => !isInstruction(i))
  if (bad >= 0) return `instruction ${bad + 1} is neither a hold nor a stall nor a waylay`
  if (sleeps !== undefined && (!Array.isArray(sleeps) || !sleeps.every((s) => typeof s === 'string')))
    return '"sleeps" is no list of places'
  if (lastFirst !== undefined && typeof lastFirst !== 'boolean') return '"lastFirst" is neither true nor false'
  if (steps === undefined) return undefined
  if (!Array.isArray(steps)) return '"steps" is no list'
  const wrong = steps.findIndex((s) => !isStep(s))
  return wrong < 0 ? undefined : `step ${wrong + 1} does not say which thread goes on up to where`
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isTurn = (value: unknown): boolean => isObject(value) && typeof value['label'] === 'string' && typeof value['nth'] === 'number'
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((v) => typeof v === 'string') : [])

function isInstruction(value: unknown): boolean {
  if (!isObject(value) || typeof value['note'] !== 'string') return false
  if (value['do'] === 'stall') return typeof value['after'] === 'string' && typeof value['ms'] === 'number'
  if (value['do'] === 'waylay') return isWaylay(value)
  return value['do'] === 'hold' && isTurn(value['what']) && isTurn(value['until']) && (value['at'] === 'start' || value['at'] === 'finish')
}

function isWaylay({ kind, posted, until, most }: Record<string, unknown>): boolean {
  const texts_ = [kind, posted, ...(isObject(until) ? [until['call'], until['at']] : [undefined])]
  return texts_.every((part) => typeof part === 'string') && Number.isInteger(most)
}

function isStep(value: unknown): boolean {
  if (!isObject(value) || !Number.isInteger(value['upTo']) || (value['upTo'] as number) < 1) return false
  if (value['timesOut'] !== undefined && typeof value['timesOut'] !== 'boolean') return false
  return ['task', 'does', 'site', 'note'].every((key) => typeof value[key] === 'string')
}

function steps(value: unknown): SavedStep[] {
  if (!Array.isArray(value)) return []
  return value.filter(isObject).map((step) => ({
    turn: isTurn(step['turn']) ? (step['turn'] as unknown as TurnName) : { label: '', nth: 0 },
    name: text(step['name']),
    chain: text(step['chain']),
    offLoop: step['offLoop'] === true,
    posted: text(step['posted']),
    at: typeof step['at'] === 'number' ? step['at'] : 0,
    accesses: (Array.isArray(step['accesses']) ? step['accesses'] : []).filter(isObject).map((a) => ({
      access: text(a['access']) || 'read',
      location: text(a['location']),
      ...(typeof a['value'] === 'string' ? { value: a['value'] } : {}),
      site: text(a['site']),
    })),
  }))
}
