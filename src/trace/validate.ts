/**
 * Refuses traces that no run can have produced: all later code may rely on forks before events, balanced locks and wakes that have a notify
 * (docs/model.md, rules 1 to 4, 6 and 7). Rules within one task are checked task by task; rules about the order between tasks only if the trace has
 * that order.
 */
import { PairCounts } from '../base/pair-counts.ts'
import {
  eventBeforeFork,
  forkedTwice,
  joinTooEarly,
  joinUnknown,
  lockHeldTwice,
  releaseNotHeld,
  selfFork,
  tryWithoutHolder,
  updateDivided,
  updateWithoutRead,
  wakeWithoutNotify,
} from './errors.ts'
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ATOMIC_READ,
  FORK,
  JOIN,
  OPS,
  RELEASE,
  RELEASE_SHARED,
  TRY_FAILED,
  TRY_SHARED_FAILED,
  UPDATE,
  isTry,
  isWrite,
} from './ops.ts'
import { NONE, type EventId, type Trace } from './trace.ts'
import { matchWakes } from './wakes.ts'

export function validate(trace: Trace): Trace {
  const forks = new Int32Array(trace.taskCount).fill(NONE)
  const joins: EventId[] = []
  // Exclusive counts, then shared ones; cleaned by undoing after each task, since there may be many tasks and many locks.
  const held = new Int32Array(2 * trace.tables.locks.size)
  for (let task = 0; task < trace.taskCount; task++) checkTask(trace, task, held, forks, joins)
  checkForks(trace, forks, joins)
  // Most traces have none, and this one look is cheaper than one at every event.
  if (trace.op.includes(UPDATE)) checkUpdates(trace)
  if (trace.facts.order === 'global') checkRecordedOrder(trace)
  return trace
}

const LOCK_OPS = Uint8Array.from(OPS, (_, op) => Number(op >= ACQUIRE && op <= RELEASE_SHARED))
const IN_ORDER = Uint8Array.from(OPS, (_, op) => Number(LOCK_OPS[op] === 1 || isTry(op)))

function checkTask(trace: Trace, task: number, held: Int32Array, forks: Int32Array, joins: EventId[]): void {
  const { op, target, stamp } = trace
  const { source } = trace.facts
  const locks = trace.tables.locks.size
  const isLockOp = LOCK_OPS
  const from = trace.taskStart[task]!
  const to = trace.taskStart[task + 1]!
  for (let e = from; e < to; e++) {
    const o = op[e]!
    if (isLockOp[o] === 1) {
      const slot = o === ACQUIRE || o === RELEASE ? target[e]! : locks + target[e]!
      if (o === ACQUIRE || o === ACQUIRE_SHARED) held[slot]!++
      else if (--held[slot]! < 0) throw releaseNotHeld(source, stamp[e]!, trace.taskName(task), trace.targetName(e))
    } else if (o === FORK || o === JOIN) {
      const other = target[e]!
      if (other === task) throw selfFork(source, stamp[e]!, trace.taskName(task), OPS[o]!.name)
      if (o === JOIN) joins.push(e)
      else if (forks[other] !== NONE) throw forkedTwice(source, stamp[e]!, trace.targetName(e))
      else forks[other] = e
    }
  }
  for (let e = from; e < to; e++) if (isLockOp[op[e]!] === 1) held[target[e]!] = held[locks + target[e]!] = 0
}

function checkForks(trace: Trace, forks: Int32Array, joins: EventId[]): void {
  const { stamp, taskStart } = trace
  const { source, order } = trace.facts
  const before = (a: EventId, b: EventId): boolean => stamp[a]! < stamp[b]! || (stamp[a] === stamp[b] && a < b)
  for (const join of joins) {
    const task = trace.target[join]!
    const last = taskStart[task + 1]! - 1
    if (last < taskStart[task]!) {
      if (forks[task] === NONE) throw joinUnknown(source, stamp[join]!, trace.taskName(task))
    } else if (order === 'global' && before(join, last)) throw joinTooEarly(source, stamp[join]!, trace.taskName(task), stamp[last]!)
  }
  if (order !== 'global') return
  for (let task = 0; task < trace.taskCount; task++) {
    const first = taskStart[task]!
    const fork = forks[task]!
    if (fork === NONE || first === taskStart[task + 1]) continue
    if (before(first, fork)) throw eventBeforeFork(source, stamp[first]!, trace.taskName(task), stamp[fork]!)
  }
}

function checkRecordedOrder(trace: Trace): void {
  const { op, target, stamp } = trace
  const { source } = trace.facts
  const order = trace.recordedOrder()
  const locks = trace.tables.locks.size
  const owner = new Int32Array(locks).fill(NONE)
  const depth = new Int32Array(locks)
  const since = new Int32Array(locks)
  const sharedHolds = new Int32Array(locks)
  const sharedByTask = new PairCounts()
  const isLockOp = IN_ORDER
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const o = op[e]!
    if (isLockOp[o] === 0) continue
    const what = target[e]!
    switch (o) {
      case ACQUIRE: {
        const task = trace.taskOf(e)
        const others = sharedHolds[what]! > 0 ? sharedHolds[what]! - sharedByTask.get(task, what) : 0
        if ((depth[what]! > 0 && owner[what] !== task) || others > 0)
          throw lockHeldTwice(source, stamp[e]!, trace.taskName(task), trace.targetName(e), since[what]!)
        if (depth[what]!++ === 0) since[what] = stamp[e]!
        owner[what] = task
        break
      }
      case ACQUIRE_SHARED: {
        const task = trace.taskOf(e)
        if (depth[what]! > 0 && owner[what] !== task)
          throw lockHeldTwice(source, stamp[e]!, trace.taskName(task), trace.targetName(e), since[what]!)
        if (sharedHolds[what]!++ === 0 && depth[what] === 0) since[what] = stamp[e]!
        sharedByTask.add(task, what, 1)
        break
      }
      case TRY_FAILED:
      case TRY_SHARED_FAILED: {
        const task = trace.taskOf(e)
        const others = o === TRY_FAILED && sharedHolds[what]! > sharedByTask.get(task, what)
        if (!others && (depth[what] === 0 || owner[what] === task))
          throw tryWithoutHolder(source, stamp[e]!, trace.taskName(task), trace.targetName(e))
        break
      }
      case RELEASE:
        depth[what]!--
        break
      case RELEASE_SHARED:
        sharedHolds[what]!--
        sharedByTask.add(trace.taskOf(e), what, -1)
        break
    }
  }
  const lonely = trace.tables.signals.size === 0 ? undefined : matchWakes(trace, order).unserved[0]
  if (lonely !== undefined) throw wakeWithoutNotify(source, stamp[lonely]!, trace.taskName(trace.taskOf(lonely)), trace.targetName(lonely))
}

/**
 * The read half of an update stands right before it. Nor is there another task's write between the halves: the write that the read half found
 * is still the last one.
 */
function checkUpdates(trace: Trace): void {
  const { op, target, stamp, taskStart } = trace
  for (let task = 0; task < trace.taskCount; task++) {
    for (let e = taskStart[task]!; e < taskStart[task + 1]!; e++) {
      if (op[e] !== UPDATE) continue
      if (e === taskStart[task] || op[e - 1] !== ATOMIC_READ || target[e - 1] !== target[e])
        throw updateWithoutRead(trace.facts.source, stamp[e]!, trace.taskName(task), trace.targetName(e))
    }
  }
  if (trace.facts.order !== 'global') return
  const order = trace.recordedOrder()
  const lastWrite = new Int32Array(trace.tables.locations.size).fill(NONE)
  const found = new Int32Array(trace.taskCount).fill(NONE)
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const o = op[e]!
    if (o === ATOMIC_READ) found[trace.taskOf(e)] = lastWrite[target[e]!]!
    if (!isWrite(o)) continue
    const last = lastWrite[target[e]!]!
    if (o === UPDATE && last !== found[trace.taskOf(e)])
      throw updateDivided(trace.facts.source, stamp[e]!, trace.taskName(trace.taskOf(e)), trace.targetName(e), stamp[last]!)
    lastWrite[target[e]!] = e
  }
}
