/**
 * Lock events that are impossible in any run: an acquire of a lock that another task holds, a release of one that is not held, a try that fails while
 * the lock is free. Recorders that log an acquire early, or a release late, or lose one, produce them. They are left out, an acquire together with its release: the
 * later of two acquires, unless the earlier one has no release; else a single lost release would take the lock from all other tasks for the rest of the run.
 * What the lock would have excluded there is unknown, so the trace says how many there were.
 */
import { HeddleError } from '../errors.ts'
import { sharedInt32, sharedUint8 } from '../base/grow.ts'
import { ACQUIRE, RELEASE, TRY_FAILED, isAcquire, isRelease, isTry } from './ops.ts'
import { NONE, Trace, type EventId } from './trace.ts'

const CODES: readonly string[] = ['lock-held-twice', 'release-not-held', 'try-without-holder']

/** Is it about a lock event that does not fit? */
export const isMisfit = (error: unknown): error is HeddleError => error instanceof HeddleError && CODES.includes(error.code)

/** The trace without them. `first`: what is wrong with the first one. */
export function withoutMisfits(trace: Trace, first: HeddleError): Trace {
  const out = misfitsOf(trace)
  let count = 0
  for (const bad of out) count += bad
  const kept = trace.eventCount - count
  const pick = <A extends Int32Array | Uint8Array>(column: A, into: A): A => {
    for (let e = 0, at = 0; e < column.length; e++) if (out[e] === 0) into[at++] = column[e]!
    return into
  }
  const taskStart = sharedInt32(trace.taskStart.length)
  for (let t = 0; t < trace.taskCount; t++) {
    let length = 0
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) length += 1 - out[e]!
    taskStart[t + 1] = taskStart[t]! + length
  }
  const columns = {
    taskStart,
    op: pick(trace.op, sharedUint8(kept)),
    target: pick(trace.target, sharedInt32(kept)),
    value: pick(trace.value, sharedInt32(kept)),
    site: pick(trace.site, sharedInt32(kept)),
    stamp: pick(trace.stamp, sharedInt32(kept)),
  }
  const { truncated } = trace.facts
  const many = count === 1 ? '1 lock event was' : `${count.toLocaleString('en')} lock events were`
  const sentence = `${many} left out because no run can have them, so what a lock excludes there is not known. The first: ${first.fact}`
  return new Trace(columns, trace.tables, { ...trace.facts, truncated: truncated === undefined ? sentence : `${truncated}. ${sentence}` })
}

/** Per event: 1 if it is left out. */
function misfitsOf(trace: Trace): Uint8Array {
  const { op, target } = trace
  const out = new Uint8Array(trace.eventCount)
  const global = trace.facts.order === 'global'
  const order = global ? trace.recordedOrder() : undefined
  if (order) leaveOutUnreleased(trace, order, out)
  /** Per lock and task: its acquires that are not released, those left out included. */
  const open = new Map<number, Map<number, EventId[]>>()
  const isOut = (e: EventId): boolean => out[e] === 1
  for (let i = 0; i < trace.eventCount; i++) {
    const e = order ? order[i]! : i
    const o = op[e]!
    if (!isAcquire(o) && !isRelease(o) && !isTry(o)) continue
    const task = trace.taskOf(e)
    let holders = open.get(target[e]!)
    if (!holders) open.set(target[e]!, (holders = new Map<number, EventId[]>()))
    if (isRelease(o)) {
      const mine = holders.get(task) ?? []
      const at = mine.findLastIndex((a) => (op[a] === ACQUIRE) === (o === RELEASE))
      if (at < 0 || isOut(mine[at]!)) out[e] = 1
      if (at >= 0) mine.splice(at, 1)
      continue
    }
    const exclusive = o === ACQUIRE || o === TRY_FAILED
    let inTheWay = false
    if (global)
      for (const [other, list] of holders)
        if (other !== task && list.some((a) => !isOut(a) && (exclusive || op[a] === ACQUIRE))) inTheWay = true
    if (isTry(o)) {
      if (global && !inTheWay) out[e] = 1
      continue
    }
    if (inTheWay) out[e] = 1
    const mine = holders.get(task)
    if (mine) mine.push(e)
    else holders.set(task, [e])
  }
  return out
}

/** Acquires that their tasks never release, of locks that other tasks have later. */
function leaveOutUnreleased(trace: Trace, order: Int32Array, out: Uint8Array): void {
  const { op, target } = trace
  const released = releasedOf(trace)
  /** Per lock: the tasks that have it later, and whether exclusively. */
  const later = new Map<number, Map<number, boolean>>()
  for (let i = order.length - 1; i >= 0; i--) {
    const e = order[i]!
    if (!isAcquire(op[e]!)) continue
    const task = trace.taskOf(e)
    const exclusive = op[e] === ACQUIRE
    let tasks = later.get(target[e]!)
    if (!tasks) later.set(target[e]!, (tasks = new Map<number, boolean>()))
    if (released[e] === 0) for (const [other, isExclusive] of tasks) if (other !== task && (exclusive || isExclusive)) out[e] = 1
    if (out[e] === 0) tasks.set(task, exclusive || tasks.get(task) === true)
  }
}

/** Per event: 1 if it is an acquire that its task releases. */
function releasedOf(trace: Trace): Uint8Array {
  const { op, target, taskStart } = trace
  const released = new Uint8Array(trace.eventCount)
  for (let t = 0; t < trace.taskCount; t++) {
    const open = new Map<number, EventId[]>()
    for (let e = taskStart[t]!; e < taskStart[t + 1]!; e++) {
      const o = op[e]!
      if (!isAcquire(o) && !isRelease(o)) continue
      const mine = open.get(target[e]!)
      if (isAcquire(o)) {
        if (mine) mine.push(e)
        else open.set(target[e]!, [e])
      } else {
        const at = mine?.findLastIndex((a) => (op[a] === ACQUIRE) === (o === RELEASE)) ?? NONE
        if (at >= 0) released[mine!.splice(at, 1)[0]!] = 1
      }
    }
  }
  return released
}
