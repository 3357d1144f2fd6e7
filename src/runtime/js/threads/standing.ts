/**
 * Replay: who can take no step unless another thread takes one first. A thread that waits or has nothing to do says so itself, by looking around: after so many looks since the last step
 * of any thread, everything that was on its way to it has come.
 */
import {
  AT_GATE,
  control,
  ENDED,
  HAS_OTHERS,
  HEARD,
  IDLE,
  load,
  LOADER_LOOKS,
  LOADER_SEEN,
  LOADS,
  LOOKS,
  MAKER,
  PROGRESS,
  SEEN,
  slotOf,
  SPINS,
  STATUS,
  taskCount,
  waiterState,
  WAITING,
  WAITS,
} from './control.ts'

/** Between two looks of a loop it has polled: what was sent before the first has been received at the second. The others are for a machine with other things to do. */
const LOOKS_UNTIL_STEADY = 5

const hasLooked = (task: number, looks: number, seen: number): boolean =>
  load(control, slotOf(task, seen)) === load(control, PROGRESS) && load(control, slotOf(task, looks)) >= LOOKS_UNTIL_STEADY

/** Nothing that modules are waited for is under way. */
function loadsNothing(task: number): boolean {
  const loads = load(control, slotOf(task, LOADS))
  return loads === 0 || (loads === 1 && hasLooked(task, LOADER_LOOKS, LOADER_SEEN))
}

/** Its maker is going to be told that it has ended. */
function isUnheard(task: number): boolean {
  const maker = control[slotOf(task, MAKER)]! - 1
  if (maker < 0 || load(control, slotOf(task, HEARD)) !== 0) return false
  const status = load(control, slotOf(maker, STATUS))
  return status !== ENDED && status !== WAITS && status !== SPINS
}

/** It waits for a wake-up, and none was sent. */
export const waitsInVain = (task: number): boolean =>
  load(control, slotOf(task, STATUS)) === WAITS && load(control, waiterState(task)) === WAITING && load(control, HAS_OTHERS) === 0

/** It can take no step before another thread does. `gated`: the others may take none now, so that one before its step stands, too. */
export function stands(task: number, gated: boolean): boolean {
  const status = load(control, slotOf(task, STATUS))
  if (status === ENDED) return !isUnheard(task)
  if (status === AT_GATE) return gated
  if (status === WAITS) return load(control, waiterState(task)) === WAITING && hasLooked(task, LOOKS, SEEN)
  if (status === SPINS) return hasLooked(task, LOOKS, SEEN)
  return status === IDLE && hasLooked(task, LOOKS, SEEN) && loadsNothing(task)
}

/** Nobody can take a step. */
export function allStand(): boolean {
  for (let task = 0; task < taskCount(); task++) if (!stands(task, false)) return false
  return true
}

/** Does some loop rest, or some thread spin? What it waits for is not all known: the clock, work of the engine's other threads, timers that do not keep the loop alive. */
export function someMayWake(): boolean {
  for (let task = 0; task < taskCount(); task++) {
    const status = load(control, slotOf(task, STATUS))
    if (status === IDLE || status === SPINS) return true
  }
  return false
}

/** Nobody but the thread itself may take a step now: can it come to one? Threads that it has made may end, and it hears of that. */
export function cannotCome(task: number): boolean {
  if (!stands(task, true)) return false
  for (let made = task + 1; made < taskCount(); made++) if (control[slotOf(made, MAKER)] === task + 1 && !stands(made, true)) return false
  return true
}
