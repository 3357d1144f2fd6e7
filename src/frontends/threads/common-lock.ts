/**
 * Two steps in sections of one lock. A thread that is delayed inside its section keeps the other one out of it, and waits in vain. So it has to be
 * delayed before it takes the lock, until the other one has released it. (The bug of seed 001 called MySQL-ptr3 is of this kind.)
 */
import type { UnitName } from '../../schedule/schedule.ts'
import type { Joined } from '../../trace/joined.ts'
import { isAcquire, isRelease } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'

/** How far a section is looked for, in events of the thread. */
const FAR = 20_000

export interface Around {
  /** The outermost acquire of the lock by who is held. */
  readonly acquire: EventId
  /** Where the other one gives it back. */
  readonly release: EventId
}

/** Undefined where no lock is held at both steps. */
export function commonLock({ trace, steps }: Pick<Joined, 'trace' | 'steps'>, held: UnitName, until: UnitName): Around | undefined {
  const [one, other] = [held, until].map((turn) => eventAt(trace, steps.stepOf, turn))
  if (one === NONE || other === NONE) return undefined
  const mine = openAt(trace, one!)
  const theirs = openAt(trace, other!)
  let outermost: Around | undefined
  for (const [lock, acquire] of mine) {
    const taken = theirs.get(lock)
    if (taken === undefined || (outermost && outermost.acquire < acquire)) continue
    const release = releaseOf(trace, taken)
    if (release !== NONE) outermost = { acquire, release }
  }
  return outermost
}

/** The first event of a step, or NONE. */
export function eventAt(trace: Trace, stepOf: Int32Array, { label, nth }: UnitName): EventId {
  const task = trace.tables.tasks.find(label)
  if (task === NONE) return NONE
  let lo = trace.taskStart[task]!
  const end = trace.taskStart[task + 1]!
  for (let hi = end; lo < hi;) {
    const mid = (lo + hi) >>> 1
    if (stepOf[mid]! < nth) lo = mid + 1
    else hi = mid
  }
  return lo < end && stepOf[lo] === nth ? lo : NONE
}

/** Locks that are held when the event is about to run, with the acquire of each. */
function openAt(trace: Trace, e: EventId): Map<number, EventId> {
  const from = Math.max(trace.taskStart[trace.taskOf(e)]!, e - FAR)
  const released = new Map<number, number>()
  const open = new Map<number, EventId>()
  for (let i = e - 1; i >= from; i--) {
    const lock = trace.target[i]!
    if (isRelease(trace.op[i]!)) released.set(lock, (released.get(lock) ?? 0) + 1)
    else if (isAcquire(trace.op[i]!)) {
      const left = released.get(lock) ?? 0
      if (left > 0) released.set(lock, left - 1)
      else open.set(lock, i) // of one that is taken several times the first
    }
  }
  return open
}

/** Where what is taken here is given back for good. */
function releaseOf(trace: Trace, acquire: EventId): EventId {
  const to = Math.min(trace.taskStart[trace.taskOf(acquire) + 1]!, acquire + 2 * FAR)
  let depth = 0
  for (let i = acquire; i < to; i++) {
    if (trace.target[i] !== trace.target[acquire]) continue
    if (isAcquire(trace.op[i]!)) depth++
    else if (isRelease(trace.op[i]!) && --depth === 0) return i
  }
  return NONE
}
