/**
 * Delay mode, for programs whose threads do not do the same twice (seed 001, section 3.4). If a schedule of steps cannot be followed, a thread that
 * reaches one site waits there until another thread has been at the other site with the same object. No step is counted, and no other thread is
 * stopped.
 *
 * The two orders of a prediction are enough to make one. In the failing order, a step that follows a step of another thread waits for it if the
 * recorded run had the two in the other order, or if the step it waits for is itself delayed. The paper delays one operation; this can be two: c
 * between a and b when the recorded run had c first.
 *
 * A site is everything of one kind at a line of the source. At a site that is reached over and over the delay is short until the thread has been
 * there, with this object, as often as in the recorded run.
 */
import type { OrderRow } from '../../schedule/order.ts'
import type { HoldSchedule, PlaceHold } from '../../schedule/schedule.ts'
import type { Loosened } from '../contract.ts'
import type { Joined } from '../../trace/joined.ts'
import { CALL, isAcquire, isRelease } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { commonLock, eventAt } from './common-lock.ts'

/** How long somebody is held: longer than the recorded run took, within these. */
const LEAST_MS = 300
const MOST_MS = 1500
/** All holds of one place together, in vain; half as much again where they get longer one by one (delay.c). */
const IN_VAIN_MS = 3000
const MOST_LINES = 3
/** Instructions of one place. */
export const MOST_PCS = 8

/** How far back earlier passes are counted, in events of the thread. */
const FAR = 20_000

/** What is known of the places of a recorded run. */
export interface Places extends Pick<Joined, 'trace' | 'steps'> {
  /** Site to `PATH+0xHEX`: all instructions there. */
  readonly pcs: ReadonlyMap<string, readonly string[]>
  /** The instruction of a thread's step, where that is kept. */
  readonly pcAt?: (task: string, step: number) => string | undefined
  /** The number the runtime has for a word of a step; 0: any. */
  readonly kindOf: (word: string) => number
}

/** The schedule that only delays; undefined where the prediction is none of one thing before another. `ms`: what the recorded run took. */
export function looseOf({ kind, schedule, observed, failing }: Loosened, places: Places, ms: number): HoldSchedule | undefined {
  if (kind === 'deadlock' || schedule.kind !== 'steps' || schedule.steps.some((step) => step.timesOut)) return undefined
  const held = new Set<OrderRow>()
  const holds: PlaceHold[] = []
  for (let i = 1; i < failing.length; i++) {
    const [first, then] = [failing[i - 1]!, failing[i]!]
    if (first.turn.label === then.turn.label) continue
    if (!held.has(first) && placeIn(observed, first) < placeIn(observed, then)) continue
    const hold = holdOf(then, first, places, ms)
    if (!hold) return undefined
    held.add(then)
    holds.push(hold)
  }
  if (holds.length === 0 || holds.length > MOST_LINES) return undefined
  const { heddle, command, timers } = schedule
  return { heddle, command, timers, kind: 'holds', holds }
}

const placeIn = (rows: readonly OrderRow[], { turn }: OrderRow): number =>
  rows.findIndex((row) => row.turn.label === turn.label && row.turn.nth === turn.nth)

interface NamedEvent {
  readonly event: EventId
  readonly word: string
}

function holdOf(held: OrderRow, until: OrderRow, places: Places, ms: number): PlaceHold | undefined {
  const [one, other] = apart(held, until, places)
  if (!one || !other) return undefined
  const [late, early] = [pointOf(one, places), pointOf(other, places)]
  if (late.pcs.length === 0 || early.pcs.length === 0) return undefined
  const wait = Math.round(Math.min(MOST_MS, Math.max(LEAST_MS, 2 * ms)))
  return {
    does: one.word,
    at: late.site,
    until: { does: other.word, at: early.site },
    most: Math.max(1, Math.floor(IN_VAIN_MS / wait)),
    ms: wait,
    from: passOf(places.trace, one.event),
    places: { held: late.pcs, until: early.pcs, kinds: [late.kind, early.kind] },
    note: `A thread that reaches ${one.word} at ${late.site} waits until another thread has reached ${other.word} at ${early.site}`,
  }
}

/** Where both are inside one lock: who takes it, until it is given back. */
function apart(
  held: OrderRow,
  until: OrderRow,
  { trace, steps }: Pick<Places, 'trace' | 'steps'>,
): readonly [NamedEvent | undefined, NamedEvent | undefined] {
  const around = commonLock({ trace, steps }, held.turn, until.turn)
  if (around) return [place(around.acquire, 'lock'), place(around.release, 'unlock')]
  const [one, other] = [held, until].map(({ turn, accesses }) => place(eventAt(trace, steps.stepOf, turn), accesses[0]?.access))
  return [one, other]
}

const place = (event: EventId, word: string | undefined): NamedEvent | undefined =>
  event === NONE || word === undefined ? undefined : { event, word }

/** The instructions at the place of an event, and the kind of record they make; 0 where a lock is made by hand and the word is not that of its record. */
function pointOf(
  { event, word }: NamedEvent,
  { trace, steps, pcs, pcAt, kindOf }: Places,
): { pcs: readonly string[]; kind: number; site: string } {
  const chain = trace.siteName(event)
  // A line that calls a library has many: its own goes first.
  const exact = pcAt?.(trace.tables.tasks.at(trace.taskOf(event)), steps.stepOf[event]!)
  const all = chain === '' ? [] : [...new Set([...(exact === undefined ? [] : [exact]), ...(pcs.get(chain) ?? [])])]
  const op = trace.op[event]!
  const made = (word === 'lock' && !isAcquire(op)) || (word === 'unlock' && !isRelease(op))
  return { pcs: all.slice(0, MOST_PCS), kind: made ? 0 : kindOf(word), site: chain.split(' < ')[0]! }
}

/** Which pass of this thread over this place with this object it is, from 1. */
function passOf(trace: Trace, event: EventId): number {
  const { op, target, site, value } = trace
  let passes = 1
  for (let e = Math.max(trace.taskStart[trace.taskOf(event)]!, event - FAR); e < event; e++) {
    const alike = op[e] === op[event] && target[e] === target[event] && site[e] === site[event]
    if (alike && (op[e] !== CALL || value[e] === value[event])) passes++
  }
  return passes
}
