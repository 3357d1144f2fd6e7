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
import { NONE, type EventId, type Trace } from '../trace/trace.ts'
import { rowOf } from './row.ts'
import { eventOf, sameStep } from './same-step.ts'
import type { Turned } from './turned.ts'

/** More than any other conflict has by where it is, and less than an experiment gives (find.ts). */
const POINTS = 200

/** Undefined where the recorded run has not both operations in the other order. */
export function violatedIn(recorded: Joined, failing: Joined, violation: SeenViolation | undefined): Turned | undefined {
  const [first, then] = violation?.events ?? []
  if (!violation?.rule || !first || !then || violation.events.length !== 2 || first.task === then.task) return undefined
  const [away, needs] = operationsIn(failing, recorded, first, then)
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

/** The two operations on one object, as recorded; NONE where they are not known. In the failing run the second is after the first. */
function operationsIn(failing: Joined, recorded: Joined, first: Operation, then: Operation): readonly [EventId, EventId] {
  const { trace } = failing
  const ends = new Map<string, EventId>()
  let last: EventId = NONE
  for (const e of trace.recordedOrder()) {
    if (does(trace, e, first)) ends.set(objectOf(trace, e), (last = e))
    const away = does(trace, e, then) ? ends.get(objectOf(trace, e)) : undefined
    if (away !== undefined) return [recordedAs(failing, away, recorded), recordedAs(failing, e, recorded)]
  }
  // Memory that is used when it is freed is no longer that object in the failing run.
  const away = last === NONE ? NONE : recordedAs(failing, last, recorded)
  if (away === NONE) return [NONE, NONE]
  const object = objectOf(recorded.trace, away)
  const uses = recorded.trace.recordedOrder().find((e) => does(recorded.trace, e, then) && objectOf(recorded.trace, e) === object)
  return [away, uses ?? NONE]
}

const does = (trace: Trace, e: EventId, { task, stack }: Operation): boolean =>
  trace.taskName(trace.taskOf(e)) === task && lineOf(siteOf(trace, e)) === lineOf(stack[0] ?? '')

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
