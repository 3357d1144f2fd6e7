/** Converts schedules of older versions to this version. read.ts reports what is wrong with a file: this assumes nothing and leaves the rest as it is. */
import { isRecord } from '../base/objects.ts'
import { SCHEDULE_VERSION } from './schedule.ts'

type Json = Record<string, unknown>

/** Undefined: no such version is known. */
export function migrated(schedule: Json): Json | undefined {
  if (schedule['heddle'] === SCHEDULE_VERSION) return schedule
  if (schedule['heddle'] === 1) return fromVersion1(schedule)
  return undefined
}

/** Version 1 had one list of instructions for loops and for threads held at places, and steps beside it. */
function fromVersion1({ instructions, steps, lastFirst, sleeps, horizon, expect, ...head }: Json): Json {
  const now = { ...head, heddle: SCHEDULE_VERSION }
  if (steps !== undefined)
    return { ...now, kind: 'steps', steps, ...(lastFirst === undefined ? {} : { lastFirst }), ...(sleeps === undefined ? {} : { sleeps }) }
  if (!Array.isArray(instructions)) return { ...now, kind: 'delays', delays: instructions, horizon, expect }
  if (instructions.length === 0) return { ...now, kind: 'plain' }
  if (instructions.every((i) => isRecord(i) && i['places'] !== undefined)) return { ...now, kind: 'holds', holds: instructions.map(holdOf) }
  return { ...now, kind: 'delays', delays: instructions, horizon, expect }
}

function holdOf({ kind, posted, until, most, places, note }: Json): Json {
  const { ms, from, ...where } = isRecord(places) ? places : {}
  const { call, at } = isRecord(until) ? until : {}
  return { does: kind, at: posted, until: { does: call, at }, most, ms, from, places: where, note }
}
