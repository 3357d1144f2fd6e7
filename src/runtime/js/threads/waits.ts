/**
 * Atomics.wait, waitAsync and notify. The list of threads that wait for a cell is in the control buffer and not in the engine. So comparing the
 * value, joining the list and taking the stamp are one step, and a replay knows which thread waits for what. Threads are woken first come, first
 * served, as the engine does it.
 */
import { ACQUIRE, ACQUIRE_SHARED, ATOMIC_READ, CALL, NOTIFY, NOTIFY_ALL, RELEASE, RELEASE_SHARED, WAKE } from '../../../trace/ops.ts'
import { NOT_OBSERVED } from '../../../trace/values.ts'
import {
  control,
  enqueue,
  FREE,
  HAS_OTHERS,
  load,
  someStart,
  store,
  takeAsyncWaiter,
  waiterState,
  WAITING,
  wait,
  wakerClock,
  wakeWaiters,
  WOKEN,
} from './control.ts'
import { otherStep } from './spinning.ts'
import { advance, clock, enter, leave, ownTask, step, stream } from './steps.ts'
import { cellNames, type Element, type View } from './views.ts'

const nativeWaitAsync = (Atomics as unknown as { waitAsync?: (array: Int32Array, index: number, value: number, ms: number) => AsyncWait })
  .waitAsync

export type WaitResult = 'ok' | 'not-equal' | 'timed-out'
export type AsyncWait =
  { readonly async: false; readonly value: WaitResult } | { readonly async: true; readonly value: Promise<WaitResult> }

/** How a thread that waits passes the time. The replayer has another way. */
export interface Pastime {
  /** Returns when the waiter is woken (true) or its time is over. `alone`: nobody else has the buffer, so it is a sleep. */
  wait(waiter: number, ms: number, site: number, cell: number, changed: () => boolean, alone: boolean): boolean
}

const SLICE_MS = 5
/** Longer than this no worker needs to start. */
const LONGEST_START_MS = 10_000
/** Slices after which a changed value means that a thread we do not know of has woken us. */
const SLICES_CHANGED = 10

let pastime: Pastime = {
  wait(waiter, ms, _site, _cell, changed) {
    stream?.flush()
    const sleep = (time: number): boolean => wait(control, waiterState(waiter), WAITING, time) !== 'timed-out'
    const others = (): boolean => control[HAS_OTHERS] !== 0
    // With the recorder in it a worker takes longer to start: that time is not the program's. One that never gets there may wake us, too.
    let since = 0
    for (let i = 0; others() ? i * SLICE_MS < ms : i * SLICE_MS < LONGEST_START_MS && someStart(); i++) {
      if (sleep(SLICE_MS)) return true
      since = changed() ? since + 1 : 0
      if (since > SLICES_CHANGED) return true
    }
    return others() ? false : sleep(ms)
  },
}
export function setPastime(other: Pastime): void {
  pastime = other
}

const siteNumber = (site: number): number => (site < 0 ? stream!.place() : stream!.siteOf(site))
const waitersOf = (view: View, index: number): number => stream!.locks.intern(`waiters of ${cellNames.at(view.cell(index))}`)
const signalOf = (view: View, index: number): number => stream!.signals.intern(cellNames.at(view.cell(index)))

/** The look at the value. With the value as expected, `waiter` is on the list; the stamp of this step is returned. */
function begin(view: View, index: number, wanted: Element, ms: number, site: number, waiter: number, releases = ms === Infinity): number {
  const stripe = view.stripe(index)
  otherStep()
  enter(stripe, 'wait', site)
  const seen = (view.array as unknown as Record<number, Element>)[index]!
  const waits = seen === wanted
  if (waits) enqueue(waiter, ownTask.id, view.buffer.hash, view.byte(index))
  if (stream !== undefined) {
    const at = siteNumber(site)
    if (waits && ms !== Infinity) stream.add(CALL, stream.names.intern(`wait ${ms}`), NOT_OBSERVED, at)
    if (waits) stream.add(ACQUIRE_SHARED, waitersOf(view, index), NOT_OBSERVED, at)
    stream.add(ATOMIC_READ, view.cell(index), stream.values.codeOf(seen), at)
    if (waits && releases) stream.add(RELEASE_SHARED, waitersOf(view, index), NOT_OBSERVED, at)
  }
  const stamp = clock
  leave(stripe)
  return waits ? stamp : -1
}

/** The end of a wait that began at `stamp`: was it woken? */
function end(view: View, index: number, ms: number, site: number, waiter: number, stamp: number, woken: boolean): WaitResult {
  const release = (): void => stream!.add(RELEASE_SHARED, waitersOf(view, index), NOT_OBSERVED, siteNumber(site))
  const releaseEarlier = (): void => {
    if (ms === Infinity) return
    stream!.stamp = stamp
    release()
  }
  const wake = (): void => stream!.add(WAKE, signalOf(view, index), NOT_OBSERVED, siteNumber(site))
  if (woken) {
    advance(wakerClock(waiter))
    store(control, waiterState(waiter), FREE)
    if (stream !== undefined) releaseEarlier()
    step('woken', () => {}, wake, site)
    return 'ok'
  }
  const stripe = view.stripe(index)
  enter(stripe, 'timed out', site)
  // Somebody may have woken it just now.
  const late = load(control, waiterState(waiter)) !== WOKEN
  store(control, waiterState(waiter), FREE)
  if (stream !== undefined) {
    if (late) release()
    else {
      releaseEarlier()
      stream.stamp = clock
      wake()
    }
  }
  leave(stripe)
  return late ? 'timed-out' : 'ok'
}

export function waitCell(view: View, index: number, wanted: Element, ms: number, site: number): WaitResult {
  const waiter = ownTask.id
  const stamp = begin(view, index, wanted, ms, site, waiter)
  if (stamp < 0) return 'not-equal'
  const changed = (): boolean => (view.array as unknown as Record<number, Element>)[index] !== wanted
  const woken = pastime.wait(waiter, ms, site, view.cell(index), changed, !view.buffer.sent)
  return end(view, index, ms, site, waiter, stamp, woken)
}

export function waitAsyncCell(view: View, index: number, wanted: Element, ms: number, site: number): AsyncWait {
  if (nativeWaitAsync === undefined) throw new TypeError('Atomics.waitAsync is not a function')
  const waiter = takeAsyncWaiter()
  // More than we have places for: the engine knows the others.
  if (waiter < 0) return nativeWaitAsync(view.array as Int32Array, index, wanted as number, ms)
  const stamp = begin(view, index, wanted, ms, site, waiter, true)
  if (stamp < 0) {
    store(control, waiterState(waiter), FREE)
    return { async: false, value: 'not-equal' }
  }
  // The wake-up of the engine's own promise is that of the program's: nothing is added to the loop.
  const { async, value } = nativeWaitAsync(control, waiterState(waiter), WAITING, ms)
  const later = (result: WaitResult): WaitResult => endAsync(view, index, site, waiter, result !== 'timed-out')
  return async ? { async, value: value.then(later) } : { async, value: later(value) }
}

/** Other steps of the thread may lie between begin and end: the list was left at once in the trace, whatever happened later. */
function endAsync(view: View, index: number, site: number, waiter: number, woken: boolean): WaitResult {
  const ok = woken || load(control, waiterState(waiter)) === WOKEN
  if (ok) advance(wakerClock(waiter))
  store(control, waiterState(waiter), FREE)
  otherStep()
  step(
    ok ? 'woken' : 'timed out',
    () => {},
    (to) => {
      if (ok) to.add(WAKE, signalOf(view, index), NOT_OBSERVED, siteNumber(site))
      else to.add(CALL, to.names.intern('timed out'), NOT_OBSERVED, siteNumber(site))
    },
    site,
  )
  return ok ? 'ok' : 'timed-out'
}

/** More of them than can matter are not written. */
const MOST_NOTIFIES = 64

export function notifyCell(view: View, index: number, count: number, site: number): number {
  const stripe = view.stripe(index)
  otherStep()
  enter(stripe, 'notify', site)
  const woken = wakeWaiters(view.buffer.hash, view.byte(index), count, clock)
  if (stream !== undefined) {
    const at = siteNumber(site)
    stream.add(ACQUIRE, waitersOf(view, index), NOT_OBSERVED, at)
    const signal = signalOf(view, index)
    if (count === Infinity) stream.add(NOTIFY_ALL, signal, NOT_OBSERVED, at)
    else for (let i = 0; i < Math.min(count, MOST_NOTIFIES); i++) stream.add(NOTIFY, signal, NOT_OBSERVED, at)
    stream.add(RELEASE, waitersOf(view, index), NOT_OBSERVED, at)
  }
  leave(stripe)
  return woken
}
