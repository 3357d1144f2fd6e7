/**
 * A read that comes too early, between the check of another thread and the write that relies on it, and on which its own thread acts, too: both
 * threads check before one of them acts. In the recorded run the second thread checked and had nothing to do, so there only the order of its read was
 * seen. The finding names the check and the act that were interrupted.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import { lineOf } from '../predict/loop/shape.ts'
import type { OrderRow } from '../schedule/order.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Joined } from '../trace/joined.ts'
import { isRead, isWrite } from '../trace/ops.ts'
import { tooEarly } from '../trace/sentences.ts'
import { NONE, type EventId } from '../trace/trace.ts'
import { placeOf, type Place } from './pairs.ts'
import { rowOf } from './row.ts'
import { eventOf, sameStep } from './same-step.ts'

/** Events between a look and what relies on it at most. */
const FAR = 64
const PATTERN = 'check-then-act'

/** Undefined where it is no such thing. */
export function asCheck(prediction: Saved, recorded: Joined, failing: Joined): Saved | undefined {
  const { kind, observed, failing: shown, locations } = prediction
  const [act, look] = observed
  if (kind !== 'order-violation' || observed.length !== 2 || shown.length !== 2 || !act || !look || act.chain === look.chain)
    return undefined
  const { trace } = recorded
  const [u, v] = conflictOf(recorded, placeOf(act), placeOf(look))
  const check = u === NONE ? NONE : checkBefore(recorded, u)
  if (check === NONE) return undefined
  const first: Place = { ...placeOf(act), nth: recorded.steps.stepOf[check]! }
  const there = [first, placeOf(look), placeOf(act)].map((place) => sameStep(recorded, place, failing))
  const events = there.map((place) => (place ? eventOf(failing, place) : NONE))
  if (!areInOrder(failing, events) || !writesAfter(failing, events[1]!, trace.targetName(v))) return undefined
  const [what = ''] = locations
  const row = rowOf(recorded, check, what)
  const siteIn = ({ accesses: [one] }: OrderRow): string => one?.site ?? ''
  const at = (one: OrderRow): string => (siteIn(one) === '' ? '' : ` (${lineOf(siteIn(one)).split(' ')[0]})`)
  return {
    ...prediction,
    kind: 'atomicity',
    pattern: PATTERN,
    summary: tooEarly(PATTERN, { who: [look.name, act.name], at: [at(look), at(act)], what }),
    fingerprint: fingerprintOf(['atomicity', PATTERN, lineOf(siteIn(act)), lineOf(siteIn(look)), what.replaceAll(/#\d+/g, '#')]),
    sites: [...new Set([...prediction.sites, siteIn(row)])].filter((site) => site !== ''),
    observed: [row, act, look],
    failing: [row, ...shown],
  }
}

/** A write of one step and a read of another that are about the same. */
function conflictOf(joined: Joined, act: Place, look: Place): readonly [EventId, EventId] {
  const { trace } = joined
  for (const u of eventsOf(joined, act))
    for (const v of eventsOf(joined, look))
      if (isWrite(trace.op[u]!) && isRead(trace.op[v]!) && !isWrite(trace.op[v]!) && trace.target[u] === trace.target[v]) return [u, v]
  return [NONE, NONE]
}

function eventsOf(joined: Joined, place: Place): EventId[] {
  const { trace, steps } = joined
  const first = eventOf(joined, place)
  const events: EventId[] = []
  if (first === NONE) return events
  const end = trace.taskStart[trace.taskOf(first) + 1]!
  for (let e = first; e < end && steps.stepOf[e] === place.nth; e++) events.push(e)
  return events
}

/** The first read of the thread since it wrote there last. */
function checkBefore({ trace, steps: { stepOf } }: Joined, write: EventId): EventId {
  let check: EventId = NONE
  const from = trace.taskStart[trace.taskOf(write)]!
  for (let e = write - 1; e >= from && e > write - FAR; e--) {
    if (trace.target[e] !== trace.target[write] || stepOf[e] === stepOf[write]) continue
    if (isWrite(trace.op[e]!)) break
    if (isRead(trace.op[e]!)) check = e
  }
  return check
}

function areInOrder({ trace }: Joined, events: readonly EventId[]): boolean {
  const order = trace.recordedOrder()
  const places = events.map((e) => (e === NONE ? NONE : order.indexOf(e)))
  return places.every((place, i) => place !== NONE && (i === 0 || place > places[i - 1]!))
}

function writesAfter({ trace }: Joined, read: EventId, location: string): boolean {
  const end = trace.taskStart[trace.taskOf(read) + 1]!
  for (let e = read + 1; e < end && e < read + FAR; e++) if (isWrite(trace.op[e]!) && trace.targetName(e) === location) return true
  return false
}
