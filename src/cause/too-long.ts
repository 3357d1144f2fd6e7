/**
 * Failures that need a longer delay than the program has to tolerate. Three kinds are separated from failures of the program:
 *
 *   a time-out, a retry or a lease that expires only because of the delay: replayed with its timers delayed, too, the program passes
 *   a flow that starts something and sleeps instead of waiting for it, and then only looks: the delay is longer than the sleep
 *   a delay beyond --max-delay, or of more than a second where no conflict explains the failure
 */
import { LoopView } from '../causal/loop/turns.ts'
import type { Cause } from '../confirm/cause.ts'
import type { FailedRun, Finding } from '../confirm/confirm.ts'
import type { Rerun } from '../confirm/run.ts'
import type { Saved } from '../schedule/saved.ts'
import type { DelaySchedule, Hold } from '../schedule/schedule.ts'
import { siteOf } from '../predict/loop/pattern.ts'
import { TIMER, type TurnId } from '../trace/loop.ts'
import { shortSite } from '../trace/site.ts'
import { NONE } from '../trace/trace.ts'
import { inMs } from './cost.ts'
import { turnOfPlace } from './loop-trials.ts'
import { pairsOf } from './pairs.ts'
import type { Try } from './prove.ts'

/** In milliseconds: what an operation may be late, and what the whole process may stand still. */
export interface MostDelay {
  readonly io: number
  readonly process: number
}

/**
 * After ten seconds clients give up by themselves: that is how long undici, ioredis and mysql2 wait for a connection unless told otherwise. Of the bugs of npm packages that are
 * measured (docs/quality.md) none needs an answer more than 0.4 s late, or the process to stand still for more than 0.4 s.
 */
export const mostDelay = (asked: number | undefined): MostDelay => ({ io: asked ?? 10_000, process: asked ?? 500 })

/** Timers that are held at most, the first ones. */
const MOST_TIMERS = 8
const MORE_MS = 1000
/** A delay with which a failure counts although no conflict explains it: twice what the same bugs need, and what time-outs of programs are seldom below. */
const MOST_UNEXPLAINED_MS = 1000
/** What was late has still to be worked off before the time-out. */
const JUST_BEFORE_MS = 50
/** No operation calls back as often. */
const NEVER = 1_000_000

/** `isKnown`: the cause was isolated. A sentence, where the delay is too long; undefined where the failure is one of the program. */
export async function tooLong(
  { prediction, cause }: Finding<Saved>,
  { run: recorded }: Rerun,
  failed: FailedRun,
  attempt: Try,
  most: MostDelay,
  isKnown: boolean,
): Promise<string | undefined> {
  const { schedule } = prediction
  if (schedule.kind !== 'delays' || !recorded?.loop || !failed.loop) return undefined
  const [view, failing] = [new LoopView(recorded.loop), new LoopView(failed.loop)]
  const needs = delayOf(cause)
  const timeOuts = ranOut(view, failing, schedule)
  if (timeOuts.length > 0 && (await passesWithout(failing, schedule, timeOuts, attempt))) {
    const { delay, site } = timeOuts[0]!
    return `It needs ${needs}, longer than the time-out of ${inMs(delay)}${placed(site)}.`
  }
  const longest = isKnown ? undefined : ranOut(view, failing, schedule, Infinity).toSorted((a, b) => b.delay - a.delay)[0]
  const before = longest && (await passesBefore(failing, schedule, longest, attempt))
  if (before === true) return `It needs ${needs}, longer than the time-out of ${inMs(longest!.delay)}${placed(longest!.site)}.`
  // Whether the time-out is the reason could not be tried, and nothing else is known to be.
  if (longest && before === undefined)
    return `It needs ${needs}. The time-out of ${inMs(longest.delay)}${placed(longest.site)} expired in the meantime, and no time was left to test without it.`
  const sleep = sleptFor(view, failing, prediction, isKnown)
  if (sleep) return `It needs ${needs}: the program sleeps for ${inMs(sleep.delay)}${placed(sleep.site)}, and does not wait.`
  const isStill = schedule.delays.some((delay) => delay.do === 'stall')
  const limit = isStill ? most.process : most.io
  // Not every replay records it: what the program does by itself tells, too.
  const clock = isKnown ? undefined : (looksAtClock(failing, schedule) ?? looksAtClock(view, schedule))
  if (clock !== undefined)
    return `It needs ${needs}. The cause was not isolated, and the program reads the clock${placed(clock)}: a time-out or a lease may have run out.`
  return (cause?.cost?.ms ?? 0) > limit ? `It needs ${needs}, longer than --max-delay (${inMs(limit)}).` : undefined
}

/** A long delay, and no conflict that explains the failure: a time-out of the program, or of who drives it, is likelier than an order. */
export const unexplained = ({ prediction: { schedule }, cause }: Finding<Saved>, isKnown: boolean): string | undefined =>
  !isKnown && schedule.kind === 'delays' && (cause?.cost?.ms ?? 0) > MOST_UNEXPLAINED_MS
    ? `It needs ${delayOf(cause)}, and the cause was not isolated: a time-out may have run out.`
    : undefined

const delayOf = (cause: Cause | undefined): string => (cause?.cost?.ms === undefined ? 'a delay' : `a delay of ${inMs(cause.cost.ms)}`)
const placed = (site: string): string => (site === '' ? '' : ` at ${shortSite(site.split(' < ')[0]!)}`)

interface Ran {
  readonly turn: TurnId
  readonly label: string
  readonly nth: number
  readonly delay: number
  readonly site: string
}

/** Timers that the failing run has fired, and the recorded one has not. */
function ranOut(view: LoopView, failing: LoopView, schedule: DelaySchedule, most = MOST_TIMERS): Ran[] {
  const since = beginOf(failing, schedule)
  const found: Ran[] = []
  for (let turn = Math.max(1, since); turn < failing.turnCount && found.length < most; turn++) {
    const op = failing.turnOp[turn]!
    if (op === NONE || failing.turnKind[turn] !== TIMER) continue
    const [label, nth] = [failing.opLabel[op]!, failing.turnNth[turn]!]
    if (turnOfPlace(view, { label, nth }) !== NONE) continue
    found.push({ turn, label, nth, delay: failing.opDelay[op]!, site: failing.postedAt(op) })
  }
  return found
}

/** Where the program's own code looks at the clock once something is delayed. */
function looksAtClock(view: LoopView, schedule: DelaySchedule): string | undefined {
  const clock = view.trace.tables.locations.find('clock')
  const since = beginOf(view, schedule)
  const { accesses } = view
  for (let a = accesses.locationStart[clock] ?? 0; clock >= 0 && a < accesses.locationStart[clock + 1]!; a++) {
    const site = siteOf(view, a)
    if (view.turnOf(accesses.unit[a]!) >= since && site !== '' && !site.includes('node_modules/')) return site
  }
  return undefined
}

/** The turn in which the first of what is delayed was posted. */
function beginOf(view: LoopView, { delays }: DelaySchedule): number {
  const posts = delays.map((delay) => {
    const op = delay.do === 'hold' ? view.findOp(delay.what.label) : delay.do === 'stall' ? view.findOp(delay.after) : NONE
    return op === NONE ? Infinity : view.opPostTurn[op]!
  })
  return Math.min(...posts)
}

/**
 * With everything delayed as before, but the timers only when nothing else can run any more. To let them fire as soon as the delay is over is too soon: the program has still to do what was late.
 */
async function passesWithout(failing: LoopView, schedule: DelaySchedule, timers: readonly Ran[], attempt: Try): Promise<boolean> {
  const held = schedule.delays.find((delay) => delay.do === 'hold')
  // After a standstill: what came next.
  const { label: late } = held ? held.what : schedule.expect.then
  if (timers.some(({ label }) => label === late)) return false
  const until = { label: late, nth: NEVER }
  const waits = timers.map(({ label, nth }): Hold => ({ do: 'hold', what: { label, nth }, at: 'finish', until, note: 'a time-out waits' }))
  const horizon = Math.max(schedule.horizon, failing.turnTime[failing.turnCount - 1] ?? 0) + MORE_MS
  const ended = await attempt({ ...schedule, delays: [...schedule.delays, ...waits], horizon })
  return ended !== undefined && !ended.failed && ended.run.stopped === undefined
}

/** The same delay, ended just before the time-out. Where no conflict explains the failure, one that needs the time-out is no failure of an order. Undefined: no more replays. */
async function passesBefore(failing: LoopView, schedule: DelaySchedule, { turn }: Ran, attempt: Try): Promise<boolean | undefined> {
  const ended = await attempt({ ...schedule, horizon: failing.turnTime[turn]! - JUST_BEFORE_MS })
  return ended && !ended.failed && ended.run.stopped === undefined
}

/**
 * The second of the pair is a look by a flow that had begun the first, and slept since. In neither run does it change what it looks at. With no cause known: what failed is such a look, and
 * all that was held had been begun by its flow.
 */
function sleptFor(view: LoopView, failed: LoopView, prediction: Saved, isKnown: boolean): Slept | undefined {
  const { observed, failing, kind, locations, schedule } = prediction
  const [pair] = pairsOf(observed, failing)
  if (pair && kind === 'order-violation') {
    const at = locationsNamed(locations.slice(0, 1))
    const slept = sleepBetween(view, failed, turnOfPlace(view, pair.first), turnOfPlace(view, pair.second), at)
    if (slept || isKnown) return slept
  }
  if (isKnown || schedule.kind !== 'delays') return undefined
  const last = failed.turnCount - 1
  const look = turnOfPlace(view, { label: failed.labelOf(last), nth: failed.turnNth[last]! })
  const sleeps = schedule.delays.map((delay) => {
    const work = delay.do === 'hold' ? turnOfPlace(view, delay.what) : NONE
    return work === NONE ? undefined : sleepBetween(view, failed, work, look, (of) => touchedFrom(of, work, view))
  })
  return sleeps.every((slept) => slept !== undefined) ? sleeps[0] : undefined
}

/** Where a flow may not write if it only looks, in one of the runs. */
type Looked = (of: LoopView) => ReadonlySet<number>

const locationsNamed =
  (names: readonly string[]): Looked =>
  ({ trace: { tables }, accesses }) => {
    const found = new Set(names.map((name) => tables.locations.find(name)).filter((location) => location >= 0))
    // A port that the system chooses has another number in every run.
    if (names.some(isPort)) for (const location of accesses.location) if (isPort(tables.locations.at(location))) found.add(location)
    return found
  }
const isPort = (name: string): boolean => name.startsWith('port:')

/** What a turn and all that follows from it touches in the recorded run, in the numbers of another. */
function touchedFrom(of: LoopView, work: TurnId, { accesses, trace, tree, opPostTurn }: LoopView): ReadonlySet<number> {
  const names = new Set<string>()
  for (const [a, unit] of accesses.unit.entries())
    if (tree.holds(work, unit < 0 ? opPostTurn[-1 - unit]! : unit)) names.add(trace.tables.locations.at(accesses.location[a]!))
  return locationsNamed([...names])(of)
}

function sleepBetween(view: LoopView, failed: LoopView, x: TurnId, y: TurnId, looked: Looked): Slept | undefined {
  if (x === NONE || y === NONE) return undefined
  const [work, look] = [pathTo(view, x, y), pathTo(view, y, x)]
  const sleep = look.timers.sort((a, b) => delayIn(view, b) - delayIn(view, a))[0]
  if (sleep === undefined || look.chain !== work.chain) return undefined
  const total = (timers: readonly TurnId[]): number => timers.reduce((sum, turn) => sum + delayIn(view, turn), 0)
  if (total(look.timers) <= total(work.timers)) return undefined
  const there = turnOfPlace(failed, { label: view.labelOf(sleep), nth: view.turnNth[sleep]! })
  if (changes(view, sleep, looked(view)) || changes(failed, there, looked(failed))) return undefined
  const op = view.turnOp[sleep]!
  return { delay: view.opDelay[op]!, site: view.postedAt(op) }
}

interface Slept {
  readonly delay: number
  readonly site: string
}

const delayIn = (view: LoopView, timer: TurnId): number => view.opDelay[view.turnOp[timer]!]!

/** From the turn that both come from down to `turn`: the timers on the way, and the chain that posted the first operation of it. */
function pathTo(view: LoopView, turn: TurnId, other: TurnId): { readonly timers: TurnId[]; readonly chain: number } {
  const timers: TurnId[] = []
  let chain: number = NONE
  for (let at = turn; at > 0 && !view.tree.holds(at, other); at = view.turnParent[at]!) {
    if (view.turnKind[at] === TIMER) timers.push(at)
    chain = view.opChain[view.turnOp[at]!]!
  }
  return { timers, chain }
}

/** Does a turn, or one that follows from it, write there? */
function changes({ accesses, tree, opPostTurn }: LoopView, turn: TurnId, locations: ReadonlySet<number>): boolean {
  if (turn === NONE) return false
  for (const location of locations)
    for (let a = accesses.locationStart[location]!; a < accesses.locationStart[location + 1]!; a++) {
      const unit = accesses.unit[a]!
      const at = unit < 0 ? opPostTurn[-1 - unit]! : unit
      if (accesses.write[a] && tree.holds(turn, at)) return true
    }
  return false
}
