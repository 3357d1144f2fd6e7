/**
 * Locks made by hand: cells of shared memory that the recorded run uses as locks. Their takes and releases become `acq` and `rel`, and everything
 * else about them goes, so that reports, locksets and the search for deadlocks see locks.
 *
 * A cell is a lock when there is a value F, what it held at first, such that in the recorded order
 *
 *   - a *take* is an update that sees F and writes something else; from then on the cell belongs to its task;
 *   - only the task it belongs to writes F: that is the *release* (an update, an atomic or a plain write);
 *   - others neither see F nor write F meanwhile, and never write without seeing (their marks "somebody waits" are updates);
 *   - at least two tasks take it;
 *   - all else that is done with the cell, its list of waiters and its signal belongs to a take or to a release: *attempts* and waits come right
 *     before a take of the same task, with nothing else of the task in between; notifies come right after a release.
 *
 * Why nothing is lost. Take any feasible order of the original trace under `maximal`. A take must see F. Only releases write F, and a task
 * releases only what it took, so between a take and its release nobody else takes: the order without the cell, with `acq` and `rel`, obeys the
 * rule of locks. What else it must obey was asked before as well.
 *
 * Why nothing is made up. Take any feasible order of the new trace and put the takes and releases back, each as the update or write it was.
 * Every take sees F, because the lock is free there. A task that looks at its own lock sees what it wrote. What is missing are attempts at a
 * lock that was taken: in this order the lock is free, so the program takes it at once, without marks, waits or anybody to notify. It does the
 * same afterwards as in the recorded run, if what it does does not depend on how often it had to try. That much is assumed, and
 * the conditions are there to make it plausible: an attempt that something else followed (a `tryLock` that gave up) would depend, so such cells are
 * no locks here; and an attempt counts as one of a loop only if the same place is tried again or a wait follows. (A first try of its own, a wait,
 * and then the take: that is how most mutexes look, but it may also be a program that remembers that its first try failed. Its replay diverges.)
 *
 * A deadlock is a cycle of takes that cannot be had. A counter that goes from 0 to 1 and back, by one task at a time, cannot be told from a lock, and
 * does not block: only the replay knows.
 *
 * What is given up: races on the cell itself are no longer found. A lock that is released by a plain write is a race by the rules of the
 * language, so it is listed in `plain`.
 */
import { sharedInt32, sharedUint8 } from '../base/grow.ts'
import { Names } from '../base/names.ts'
import { ACQUIRE, CALL, RELEASE, WAKE, isRelease } from '../trace/ops.ts'
import { NONE, Trace } from '../trace/trace.ts'
import { NOT_OBSERVED } from '../trace/values.ts'
import { ownership } from './made-locks/ownership.ts'
import { ATTEMPT, KEPT, RELEASED, TAKEN } from './made-locks/roles.ts'
import { keepWhole } from './made-locks/runs.ts'

export interface MadeLocks {
  readonly trace: Trace
  readonly stepOf: Int32Array
  /** The cells that are locks; their locks have the same names. */
  readonly locks: readonly string[]
  /** Of these, those that some release writes plainly. */
  readonly plain: readonly string[]
}

/** Stands between a release and a wake that does not end a wait (docs/model.md, rule 4). */
const SEPARATOR = 'listen'

/** `except`: cells that are left as they are. */
export function withMadeLocks(trace: Trace, stepOf: Int32Array, except?: ReadonlySet<string>): MadeLocks {
  const found = trace.facts.order === 'global' ? ownership(trace) : undefined
  if (found && except) for (const name of except) found.isLock[trace.tables.locations.find(name)] = 0
  if (!found || !keepWhole(trace, found)) return { trace, stepOf, locks: [], plain: [] }
  const { role, cellOf, isLock, plain } = found
  const locks = Names.of(trace.tables.locks)
  const names = Names.of(trace.tables.names)
  const lockOf = new Int32Array(isLock.length).fill(NONE)
  const made: number[] = []
  for (let x = 0; x < isLock.length; x++) {
    if (isLock[x] === 0) continue
    const name = trace.tables.locations.at(x)
    lockOf[x] = locks.intern(locks.find(name) === NONE ? name : `lock ${name}`)
    made.push(x)
  }

  const { op, target, value, site, stamp, taskStart } = trace
  let room = 0
  for (let e = 0; e < op.length; e++) {
    const x = cellOf(e)
    room += x === NONE || isLock[x] === 0 ? (op[e] === WAKE ? 2 : 1) : Number(role[e] === KEPT || role[e] === TAKEN || role[e] === RELEASED)
  }
  const out = {
    taskStart: sharedInt32(trace.taskCount + 1),
    op: sharedUint8(room),
    target: sharedInt32(room),
    value: sharedInt32(room),
    site: sharedInt32(room),
    stamp: sharedInt32(room),
  }
  const steps = sharedInt32(room)
  let filled = 0
  const put = (e: number, newOp: number, newTarget: number, newValue: number): void => {
    out.op[filled] = newOp
    out.target[filled] = newTarget
    out.value[filled] = newValue
    out.site[filled] = site[e]!
    out.stamp[filled] = stamp[e]!
    steps[filled++] = stepOf[e]!
  }
  for (let t = 0; t < trace.taskCount; t++) {
    for (let e = taskStart[t]!; e < taskStart[t + 1]!; e++) {
      const x = cellOf(e)
      const r = x === NONE || isLock[x] === 0 ? KEPT : role[e]!
      if (r === TAKEN) put(e, ACQUIRE, lockOf[x]!, NOT_OBSERVED)
      else if (r === RELEASED) put(e, RELEASE, lockOf[x]!, NOT_OBSERVED)
      else if (r === KEPT && !(op[e] === CALL && beginsDropped(e))) {
        const afterRelease = filled > out.taskStart[t]! && isRelease(out.op[filled - 1]!)
        if (op[e] === WAKE && afterRelease && !isRelease(op[e - 1]!)) put(e, CALL, names.intern(SEPARATOR), NOT_OBSERVED)
        put(e, op[e]!, target[e]!, value[e]!)
      }
    }
    out.taskStart[t + 1] = filled
  }
  /** `call(wait 100)` belongs to the wait after it. */
  function beginsDropped(e: number): boolean {
    const x = e + 1 < op.length && stamp[e + 1] === stamp[e] ? cellOf(e + 1) : NONE
    return x !== NONE && isLock[x] === 1 && role[e + 1] === ATTEMPT && trace.taskOf(e) === trace.taskOf(e + 1)
  }
  const part = <A extends Int32Array | Uint8Array>(column: A): A => column.subarray(0, filled) as A
  const columns = {
    taskStart: out.taskStart,
    op: part(out.op),
    target: part(out.target),
    value: part(out.value),
    site: part(out.site),
    stamp: part(out.stamp),
  }
  const nameOf = (x: number): string => trace.tables.locations.at(x)
  return {
    trace: new Trace(columns, { ...trace.tables, locks, names }, trace.facts),
    stepOf: part(steps),
    locks: made.map(nameOf),
    plain: made.filter((x) => plain[x] === 1).map(nameOf),
  }
}
