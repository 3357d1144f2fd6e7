/**
 * A failing run in which the runtime saw an object misused (use of a closed stream, use after free). The operation that ended the object's life and
 * the one that needed it are a conflict of their own. It says more than other reversed orders, and it is tested by the same experiments.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import { lineOf } from '../predict/loop/shape.ts'
import { operationOf } from '../predict/threads/misuse.ts'
import { plainValue } from '../property/words.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { Joined } from '../trace/joined.ts'
import { CALL } from '../trace/ops.ts'
import { placed } from '../trace/site.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'
import { rowOf } from './row.ts'
import { eventOf, sameStep, taskNamed } from './same-step.ts'
import type { Turned } from './turned.ts'

/** More than any other conflict has by where it is, and less than an experiment gives (find.ts). */
const POINTS = 200

/** Undefined where the recorded run has not both operations in the other order. */
export function violatedIn(recorded: Joined, failing: Joined, violation: SeenViolation | undefined): Turned | undefined {
  const [first, then] = violation?.events ?? []
  if (!violation?.rule || !first || !then || violation.events.length !== 2 || first.task === then.task) return undefined
  const found = operationsIn(failing.trace, first, then)
  if (!found) return undefined
  const [away, needs] = found.map((e) => recordedAs(failing, e, recorded)) as [EventId, EventId]
  if (away === NONE || needs === NONE) return undefined
  const { trace } = recorded
  const order = trace.recordedOrder()
  if (order.indexOf(away) < order.indexOf(needs)) return undefined
  const what = objectOf(trace, needs)
  const word = (does: string): string => does.split(' ')[0]!
  const at = (e: EventId): string => placed(siteOf(trace, e))
  const rows = { away: rowOf(recorded, away, what), needs: rowOf(recorded, needs, what) }
  const lines = [away, needs].map((e) => siteOf(trace, e))
  return {
    kind: 'typestate',
    pattern: violation.rule,
    summary: `${then.task} can ${operationOf(word(then.does)).verb} ${what}${at(needs)} after ${first.task} has ${operationOf(word(first.does)).done} it${at(away)}.`,
    fingerprint: fingerprintOf(['typestate', violation.rule, ...lines.map(lineOf), what.replaceAll(/#\d+/g, '#')]),
    sites: [...new Set(lines)].filter((site) => site !== ''),
    locations: [what],
    observed: [rows.needs, rows.away].map((row, i) => ({ ...row, at: i })),
    failing: [rows.away, rows.needs].map((row, i) => ({ ...row, at: i })),
    why: [],
    points: POINTS,
  }
}

type Operation = SeenViolation['events'][number]

/** The two operations on one object, the second after the first. */
function operationsIn(trace: Trace, first: Operation, then: Operation): [EventId, EventId] | undefined {
  const tasks: readonly TaskId[] = [first, then].map(({ task }) => taskNamed(trace, task))
  const lines = [first, then].map(({ stack }) => lineOf(stack[0] ?? ''))
  const taken = new Map<string, EventId>()
  for (const e of trace.recordedOrder()) {
    const task = trace.taskOf(e)
    if (!tasks.includes(task)) continue
    const line = lineOf(siteOf(trace, e))
    const object = objectOf(trace, e)
    if (task === tasks[0] && line === lines[0]) taken.set(object, e)
    if (task !== tasks[1] || line !== lines[1]) continue
    const away = taken.get(object)
    if (away !== undefined) return [away, e]
  }
  return undefined
}

function recordedAs(failing: Joined, e: EventId, recorded: Joined): EventId {
  const label = failing.trace.taskName(failing.trace.taskOf(e))
  const place = sameStep(failing, { label, nth: failing.steps.stepOf[e]!, offLoop: false }, recorded)
  if (!place) return NONE
  // Of its step, the event that is about the object.
  const { trace, steps } = recorded
  for (let k = eventOf(recorded, place); k !== NONE && k < trace.eventCount && steps.stepOf[k] === place.nth; k++)
    if (trace.op[k] === failing.trace.op[e]) return k
  return eventOf(recorded, place)
}

/** What an operation is about; of a cell of a block the block. */
function objectOf(trace: Trace, e: EventId): string {
  if (trace.op[e] === CALL) return plainValue(trace.tables.values.textOf(trace.value[e]!))
  return trace.targetName(e).replace(/\+\d+$/, '')
}

const siteOf = (trace: Trace, e: EventId): string => trace.siteName(e).split(' < ')[0]!
