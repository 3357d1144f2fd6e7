/**
 * Advances the clock when nothing else can run. It polls the loop: in the check phase while something is urgent, from a real timer otherwise. The
 * loop is silent if several rounds passed without a turn, nothing is in progress, and, if sockets are open, some real time has passed as well.
 */
import * as core from '../core.ts'
import { lastMove, moveTo, startOfClock, tick } from './clock.ts'
import { earlyCount, giveEarly, letBegin, onEarly } from './early.ts'
import { advise, hasLost, isOfProgram, waitsForTimer, type Advice } from './guide.ts'
import { giveUp, heldCount, onHold, polling } from './holds.ts'
import { isLoading } from './loading.ts'
import { lookOutside } from './outside.ts'
import { patientNow, willLook } from './patience.ts'
import { cover, pending, wheel } from './phases.ts'
import { after, clearTimeoutReal, notSoon, realNow, soon, type Soon } from './real.ts'
import { onCount, refedCount } from './timeout.ts'

const QUIET_ROUNDS = 3
/** Bytes inside one machine need less. */
const QUIET_MS = 3
/** A request that takes longer waits for somebody (a pipe nobody writes to): the clock goes on at the real pace. */
const REQUEST_MS = 2000
/** So long nobody outside did anything while something was held: perhaps it waits for just that. */
const HOPELESS_MS = 3000
/** A program that polls without rest must see its timers some time. */
const RESTLESS_MS = 1000
/** What one turn takes does not say that the program is restless. */
const RESTLESS_TURN_MS = 20
const RESTLESS_IMMEDIATES = 2000
const STUCK_MS = 1000

export interface PumpOptions {
  readonly horizon: number
  /** Is a test running? Without tests always. */
  isOn(): boolean
  onStuck(): void
}

let options: PumpOptions
let next: { kind: 'immediate'; handle: Soon } | { kind: 'timer'; handle: NodeJS.Timeout } | undefined
let lastTurn = 0
let rounds = 0
let lastActivity = 0
/** Since when there has been something other than unref'd timers, and since the last move of the clock. */
let lastWork = 0
let immediates = 0
/** Real milliseconds since the last move of the clock in which turns followed each other. */
let busy = 0
let lastLook = 0
let stuck = false

export function startPump(options_: PumpOptions): void {
  options = options_
  onCount(wake)
  onHold(wake)
  onEarly(wake)
  core.listen({ turnBegan: (_turn, op) => sawTurn(op) })
  lastActivity = lastWork = patientNow()
  sleep(1)
}

/** A test begins: what was before it does not count. */
export function restartPump(): void {
  lastActivity = lastWork = patientNow()
  rounds = 0
}

const wanted = (): boolean => refedCount > 0 || heldCount() > 0 || earlyCount() > 0 || waitsForTimer()

/** Timers or holds have changed: what keeps the process alive, too. */
function wake(): void {
  if (wanted()) hurry()
  else if (next?.kind === 'immediate') sleep(1)
  else next?.handle.unref()
}

function hurry(): void {
  if (next?.kind === 'immediate') return
  if (next !== undefined) clearTimeoutReal(next.handle)
  next = { kind: 'immediate', handle: soon(look) }
  willLook(0)
}

function sleep(ms: number): void {
  if (next?.kind === 'immediate') notSoon(next.handle)
  else if (next !== undefined) clearTimeoutReal(next.handle)
  next = { kind: 'timer', handle: after(ms, look) }
  willLook(ms)
  if (!wanted()) next.handle.unref()
}

function sawTurn(op: core.Op): void {
  if (op.kind === 'immediate') immediates++
  else immediates = 0
  if (op.kind !== 'timer' || refedCount > 0) lastWork = patientNow()
  // It may be the last turn but for timers that are not ref'd.
  if (next?.kind === 'timer' && waitsForTimer()) hurry()
}

/** Without anything that keeps the process alive an immediate would not make the loop go round. */
const again = (): void => (wanted() ? hurry() : sleep(1))

function look(): void {
  next = undefined
  const real = realNow()
  const now = patientNow()
  busy += Math.min(real - lastLook, RESTLESS_TURN_MS)
  lastLook = real
  if (core.turn !== lastTurn) {
    lastTurn = core.turn
    rounds = 0
    lastActivity = now
    if (restless()) advance(wheel.next(), true)
    return again()
  }
  if (++rounds < QUIET_ROUNDS || pending() > 0 || polling > 0) return again()
  const due = wheel.next()
  if (due > tick() && isLoading()) {
    // Who waits for a module has not yet posted what the guide would wait for.
    lastWork = now
    return rounds < 50 ? again() : sleep(1)
  }
  if (due > tick()) {
    const advice = adviseNow()
    if (advice?.do === 'wait') {
      // What is waited for may still come, and what is kept will.
      lastWork = now
      return rounds < 50 ? again() : sleep(1)
    }
    if (advice?.do === 'move' && (heldCount() === 0 || advice.to - startOfClock <= options.horizon)) {
      return advance(advice.to, true)
    }
  }
  const outside = lookOutside(hasLost())
  const silence = now - lastActivity
  if (outside.requests && silence < REQUEST_MS) return rounds < 50 ? again() : sleep(1)
  if (outside.streams && silence < QUIET_MS) return again()
  if (due <= tick()) {
    cover()
    return again()
  }
  if (outside.others || outside.requests) {
    // The real clock decides how far it may go.
    const moved = lastMove()
    const left = due - (moved.virtual + real - moved.real)
    const hopeless = due === Infinity && heldCount() > 0 && silence > HOPELESS_MS
    if (left > 0 && !hopeless) return sleep(Math.max(1, Math.min(left, 5)))
  }
  if (due !== Infinity && (heldCount() === 0 || due - startOfClock <= options.horizon)) return advance(due, false)
  if (heldCount() > 0) {
    giveUp(due === Infinity ? 'idle' : 'horizon')
    rounds = 0
    lastActivity = now
    return again()
  }
  checkStuck(now, outside.waitsForOthers)
  sleep(25)
}

function adviseNow(): Advice | undefined {
  if (giveEarly() || letBegin()) return { do: 'wait' }
  const due = wheel.next()
  const advice = advise(heldCount() > 0, options.isOn() && due !== Infinity && isOfProgram(due))
  return advice === undefined && letBegin(true) ? { do: 'wait' } : advice
}

function advance(due: number, must: boolean): void {
  if (due === Infinity) return
  // Timers that only wait for others to end the process: a server and its clean-up interval, for instance. Not those that the recorded run had, too.
  if (refedCount === 0 && heldCount() === 0 && !must) checkStuck(patientNow(), false)
  rounds = 0
  immediates = 0
  busy = 0
  moveTo(due)
  again()
}

function restless(): boolean {
  const due = wheel.next()
  if (due === Infinity || (heldCount() > 0 && due - startOfClock > options.horizon)) return false
  const { virtual } = lastMove()
  if (virtual + busy < due) return false
  const enough = busy > RESTLESS_MS || (immediates > RESTLESS_IMMEDIATES && busy > RESTLESS_MS / 4)
  return enough && !isLoading() && adviseNow()?.do !== 'wait'
}

function checkStuck(now: number, waits: boolean): void {
  if (stuck || waits || !options.isOn() || now - lastWork < STUCK_MS) return
  stuck = true
  options.onStuck()
}
