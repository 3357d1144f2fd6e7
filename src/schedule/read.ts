/** Reads a schedule from JSON that anybody may have written: a schedule of this version, or what is wrong with it. */
import { isRecord } from '../base/objects.ts'
import { migrated } from './migrate.ts'
import type { Schedule } from './schedule.ts'

export interface Unreadable {
  readonly wrong: string
  /** Set when it is of a version that is not known. */
  readonly version?: unknown
}

type Json = Record<string, unknown>

export function readSchedule(json: unknown): Schedule | Unreadable {
  if (!isRecord(json)) return { wrong: 'it is not a JSON object' }
  if (!('heddle' in json)) return { wrong: 'it has no "heddle" version' }
  const schedule = migrated(json)
  if (!schedule) return { wrong: 'its version is another', version: json['heddle'] }
  const wrong = problemOf(schedule)
  return wrong === undefined ? (schedule as unknown as Schedule) : { wrong }
}

function problemOf(schedule: Json): string | undefined {
  const { command, timers, kind, process } = schedule
  if (!Array.isArray(command) || command.length === 0 || !command.every(isText)) return 'it names no command'
  if (timers !== 'due' && timers !== 'latency') return '"timers" is neither due nor latency'
  if (process !== undefined && !isText(process)) return '"process" is no name'
  switch (kind) {
    case 'plain':
      return undefined
    case 'delays':
      return delaysProblem(schedule)
    case 'steps':
      return stepsProblem(schedule)
    case 'holds':
      return eachIs(schedule['holds'], 'holds', isPlaceHold, (nth) => `hold ${nth} does not say who is held where, and until when`)
    default:
      return '"kind" is neither plain nor delays nor steps nor holds'
  }
}

function delaysProblem({ delays, horizon, expect }: Json): string | undefined {
  if (typeof horizon !== 'number') return '"horizon" is no number'
  if (!isRecord(expect) || !isUnit(expect['first']) || !isUnit(expect['then'])) return '"expect" does not name two turns'
  return eachIs(delays, 'delays', isDelay, (nth) => `delay ${nth} is neither a hold nor a stall nor a waylay`)
}

function stepsProblem({ steps, sleeps, lastFirst }: Json): string | undefined {
  if (sleeps !== undefined && (!Array.isArray(sleeps) || !sleeps.every(isText))) return '"sleeps" is no list of places'
  if (lastFirst !== undefined && typeof lastFirst !== 'boolean') return '"lastFirst" is neither true nor false'
  return eachIs(steps, 'steps', isStep, (nth) => `step ${nth} does not say which thread goes on up to where`)
}

function eachIs(list: unknown, name: string, is: (item: unknown) => boolean, wrong: (nth: number) => string): string | undefined {
  if (!Array.isArray(list)) return `"${name}" is no list`
  const bad = list.findIndex((item) => !is(item))
  return bad < 0 ? undefined : wrong(bad + 1)
}

const isText = (value: unknown): value is string => typeof value === 'string'
export const isUnit = (value: unknown): boolean => isRecord(value) && isText(value['label']) && typeof value['nth'] === 'number'

function isDelay(value: unknown): boolean {
  if (!isRecord(value) || !isText(value['note'])) return false
  if (value['do'] === 'stall') return isText(value['after']) && typeof value['ms'] === 'number'
  if (value['do'] === 'waylay') return isWaylay(value)
  return value['do'] === 'hold' && isUnit(value['what']) && isUnit(value['until']) && (value['at'] === 'start' || value['at'] === 'finish')
}

function isWaylay({ kind, posted, until, most }: Json): boolean {
  return [kind, posted, ...(isRecord(until) ? [until['call'], until['at']] : [undefined])].every(isText) && Number.isInteger(most)
}

function isStep(value: unknown): boolean {
  if (!isRecord(value) || !Number.isInteger(value['upTo']) || (value['upTo'] as number) < 1) return false
  if (value['timesOut'] !== undefined && typeof value['timesOut'] !== 'boolean') return false
  return ['task', 'does', 'site', 'note'].every((key) => isText(value[key]))
}

function isPlaceHold(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value['until']) || !isRecord(value['places'])) return false
  const { does, at, until, most, ms, from, note, places } = value
  const texts = [does, at, until['does'], until['at'], note].every(isText)
  const numbers = [most, ms, from].every(Number.isSafeInteger)
  const { held, until: other, kinds } = places
  const lists = [held, other].every((list) => Array.isArray(list) && list.every(isText))
  return texts && numbers && lists && Array.isArray(kinds) && kinds.length === 2 && kinds.every(Number.isSafeInteger)
}
