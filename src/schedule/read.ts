/** Reads a schedule from untrusted JSON: a schedule of this version, or what is wrong with it. */
import { isRecord } from '../base/objects.ts'
import { Fault, take } from '../base/schema.ts'
import { migrated } from './migrate.ts'
import type { Schedule } from './schedule.ts'
import { SCHEDULE } from './shapes.ts'

export interface Unreadable {
  readonly wrong: string
  /** Set when it is of a version that is not known. */
  readonly version?: unknown
}

/** `at`: the field that the schedule stands in. */
export function readSchedule(json: unknown, at = ''): Schedule | Unreadable {
  if (!isRecord(json)) return { wrong: 'it is not a JSON object' }
  if (!Object.hasOwn(json, 'heddle')) return { wrong: 'it has no "heddle" version' }
  const schedule = migrated(json)
  if (!schedule) return { wrong: 'its version is another', version: json['heddle'] }
  const taken = take<Schedule>(schedule, SCHEDULE)
  if (!(taken instanceof Fault)) return taken
  const { field, expected, missing } = taken
  return { wrong: new Fault(at === '' || field === '' ? at + field : `${at}.${field}`, expected, missing).text }
}
