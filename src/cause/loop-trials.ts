/**
 * Two experiments on a loop, about a pair that a failing schedule reverses. In the first everything is delayed as before, but what came too early
 * waits for the other: the pair has its recorded order. In the second nothing is delayed but what reverses this pair.
 */
import type { LoopView } from '../causal/loop/turns.ts'
import { LoopDecider } from '../predict/loop/decide.ts'
import { scheduleOf } from '../predict/loop/schedule.ts'
import { keyOf, type Delay, type DelaySchedule, type Hold, type UnitName } from '../schedule/schedule.ts'
import { effectOf, opOfEffect, type TurnId, type Unit } from '../trace/loop.ts'
import { NONE } from '../trace/trace.ts'
import type { Pair, Place } from './pairs.ts'

/** What is delayed in an experiment may take this much longer than the failing run did, in ms. */
const MORE_MS = 1000

/** Everything as before, but for these pairs. Undefined where that cannot be asked for. */
export function asRecorded(view: LoopView, failing: LoopView, schedule: DelaySchedule, pairs: readonly Pair[]): DelaySchedule | undefined {
  const kept: Hold[] = []
  let delays: readonly Delay[] = schedule.delays
  for (const { first, second } of pairs) {
    const [x, y] = [unitOf(view, first), unitOf(view, second)]
    const op = y === undefined ? NONE : y < 0 ? -1 - y : view.turnOp[y]!
    if (x === undefined || y === undefined || op === NONE) return undefined
    const until = view.turnOf(x)
    if (until === NONE) return undefined
    const there = unitOf(failing, second)
    const turn = there === undefined ? NONE : failing.turnOf(there)
    delays = delays.map((delay) => (delay.do === 'hold' ? upToBefore(failing, turn, delay) : delay))
    const name = { label: view.labelOf(until), nth: view.turnNth[until]! }
    const what = { label: second.label, nth: second.nth }
    kept.push({ do: 'hold', what, at: second.offLoop ? 'start' : 'finish', until: name, note: `${second.label} waits` })
  }
  if (kept.length === 0) return undefined
  const end = failing.turnTime[failing.turnCount - 1] ?? 0
  return { ...schedule, delays: [...delays, ...kept], horizon: Math.max(schedule.horizon, end) + MORE_MS }
}

/**
 * The same pairs as recorded in another way: what the first of each does outside the loop comes in time, and only its answer is as late as before. The second does not wait, so nothing
 * behind it is turned back. Undefined where these are not delayed by themselves.
 */
export function inTime(schedule: DelaySchedule, pairs: readonly Pair[]): DelaySchedule | undefined {
  const isIt = (delay: Delay, { label, nth, offLoop }: Place): boolean =>
    offLoop && delay.do === 'hold' && delay.at === 'start' && delay.what.label === label && delay.what.nth === nth
  if (!pairs.every(({ first }) => schedule.delays.some((delay) => isIt(delay, first)))) return undefined
  const isHeld = (delay: Delay): delay is Hold => pairs.some(({ first }) => isIt(delay, first))
  return { ...schedule, delays: schedule.delays.map((delay) => (isHeld(delay) ? { ...delay, at: 'finish' } : delay)) }
}

/** Of a write to a location, the place of the read of it before, by the same chain: where an update begins. Else the place itself. */
export function updateOf(view: LoopView, place: Place, location: string): Place {
  const unit = unitOf(view, place)
  const at = view.trace.tables.locations.find(location)
  if (unit === undefined || at < 0) return place
  const { accesses } = view
  const written = [...accesses.of(unit)].find((a) => accesses.location[a] === at && accesses.write[a])
  if (written === undefined) return place
  let read: Place | undefined
  for (let a = accesses.locationStart[at]!; a < accesses.locationStart[at + 1]!; a++) {
    const before = accesses.unit[a]!
    const turn = view.turnOf(before)
    if (accesses.chain[a] !== accesses.chain[written] || turn === NONE || view.positionOf(before) >= view.positionOf(unit)) continue
    read = accesses.write[a] ? undefined : { label: view.labelOf(turn), nth: view.turnNth[turn]!, offLoop: before < 0 }
  }
  return read === undefined || read.label === 'main' ? place : read
}

/** What waits for the turn, or for what follows from it, waits for the one before it: as long as before, nearly. */
function upToBefore(failing: LoopView, turn: TurnId, hold: Hold): Hold {
  const until = turnOfPlace(failing, hold.until)
  if (turn <= 0 || until === NONE || !failing.tree.holds(turn, until)) return hold
  const before = turn - 1
  return { ...hold, until: { label: failing.labelOf(before), nth: failing.turnNth[before]! } }
}

/** Only this pair, turned round. */
export function alone(view: LoopView, schedule: DelaySchedule, { first, second }: Pair): DelaySchedule | undefined {
  const [x, y] = [unitOf(view, first), unitOf(view, second)]
  if (x === undefined || y === undefined) return undefined
  const decider = new LoopDecider(view, schedule.timers)
  const doing = (unit: Unit) => {
    const op = unit < 0 ? -1 - unit : view.turnOp[unit]!
    return { unit, chain: op, event: unit < 0 ? view.opPostEvent[op]! : view.turnEvent[unit]! }
  }
  const answer = decider.decide([[doing(y), doing(x)]])
  return answer.verdict === 'feasible' ? scheduleOf(view, decider, answer, [y, x], schedule) : undefined
}

/** Do two schedules ask for the same, however long a standstill is? */
export const isSame = (a: DelaySchedule, b: DelaySchedule): boolean => keyOf(timeless(a)) === keyOf(timeless(b))

const timeless = (schedule: DelaySchedule): DelaySchedule => ({
  ...schedule,
  delays: schedule.delays.map((delay) => (delay.do === 'stall' ? { ...delay, ms: 0 } : delay)),
})

/** Has a run this pair in its recorded order? Undefined where it has neither. `by`: the schedule of the run; of what only the answer was late, the effect was there long before. */
export function order(run: LoopView, { first, second }: Pair, by?: DelaySchedule): 'recorded' | 'turned' | undefined {
  const isAnsweredLate = (label: string): boolean =>
    by?.delays.some((delay) => delay.do === 'hold' && delay.at === 'finish' && delay.what.label === label) === true
  const place = (one: Place): number => {
    const unit = unitOf(run, one)
    if (unit === undefined) return Infinity
    if (one.offLoop && isAnsweredLate(one.label)) return 2 * run.opPostTurn[opOfEffect(unit)]! + 1.5
    return run.turnOf(unit) === NONE ? Infinity : run.positionOf(unit)
  }
  const [x, y] = [place(first), place(second)]
  return x === y ? undefined : x < y ? 'recorded' : 'turned'
}

export function unitOf(view: LoopView, { label, nth, offLoop }: Place): Unit | undefined {
  if (offLoop) {
    const op = view.findOp(label)
    return op === NONE ? undefined : effectOf(op)
  }
  const turn = turnOfPlace(view, { label, nth })
  return turn === NONE ? undefined : turn
}

export function turnOfPlace(view: LoopView, { label, nth }: UnitName): TurnId {
  if (label === 'main') return 0
  const op = view.findOp(label)
  if (op === NONE) return NONE
  for (let t = Math.max(0, view.opTurn[op]!); t < view.turnCount; t++) if (view.turnOp[t] === op && view.turnNth[t] === nth) return t
  return NONE
}
