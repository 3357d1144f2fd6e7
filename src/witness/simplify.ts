/**
 * Makes a witness easier to follow: fewer switches between tasks. Events that depend on each other (same task, same location and one
 * writes, same lock, fork and join, notify and wake) keep their order, so the result means the same; among the rest, the task that ran last goes
 * on as long as it can, and then the one whose turn came first in the witness.
 */
import { GrowInt32 } from '../base/grow.ts'
import { FORK, JOIN, NOTIFY, NOTIFY_ALL, OPS, READ, WAKE } from '../trace/ops.ts'
import { NONE, type Trace } from '../trace/trace.ts'

export function simplify(trace: Trace, order: Int32Array): Int32Array {
  const n = order.length
  const { start, before } = dependencies(trace, order)
  // Per task its next event, and per event the one after it in its task, as indices into `order`.
  const next = new Int32Array(trace.taskCount).fill(NONE)
  const after = new Int32Array(n).fill(NONE)
  const taskAt = new Int32Array(n)
  const tasks: number[] = []
  const lastOf = new Int32Array(trace.taskCount).fill(NONE)
  for (let i = 0; i < n; i++) {
    const t = trace.taskOf(order[i]!)
    taskAt[i] = t
    if (lastOf[t] === NONE) {
      next[t] = i
      tasks.push(t)
    } else after[lastOf[t]!] = i
    lastOf[t] = i
  }
  const done = new Uint8Array(n)
  const ready = (i: number): boolean => {
    for (let k = start[i]!; k < start[i + 1]!; k++) if (done[before[k]!] === 0) return false
    return true
  }
  const out = new Int32Array(n)
  let filled = 0
  let current = NONE
  while (filled < n) {
    let pick = current === NONE ? NONE : next[current]!
    if (pick === NONE || !ready(pick)) {
      pick = NONE
      // Every task's first event in witness order is a valid choice, so the smallest ready index always exists.
      for (const t of tasks) {
        const i = next[t]!
        if (i !== NONE && (pick === NONE || i < pick) && ready(i)) pick = i
      }
    }
    out[filled++] = order[pick]!
    done[pick] = 1
    current = taskAt[pick]!
    next[current] = after[pick]!
  }
  return switches(trace, out) <= switches(trace, order) ? out : order
}

/** How often the running task changes. */
export function switches(trace: Trace, order: Int32Array): number {
  let count = 0
  let last = NONE
  for (let i = 0; i < order.length; i++) {
    const t = trace.taskOf(order[i]!)
    if (i > 0 && t !== last) count++
    last = t
  }
  return count
}

/** Index i must follow before[start[i]] .. before[start[i + 1] - 1], besides those of its own task. */
function dependencies(trace: Trace, order: Int32Array): { start: Int32Array; before: Int32Array } {
  const { tables, taskCount } = trace
  const none = (size: number): Int32Array => new Int32Array(size).fill(NONE)
  const n = order.length
  const start = new Int32Array(n + 1)
  const before = new GrowInt32(n)
  const lastWrite = none(tables.locations.size)
  const lastRead = none(tables.locations.size) // reads since that write, as a list through `readBefore`
  const readBefore = none(n)
  const lastOfLock = none(tables.locks.size)
  const lastOfSignal = none(tables.signals.size)
  const forkAt = none(taskCount)
  const lastOfTask = none(taskCount)
  const follow = (last: Int32Array, target: number, i: number): void => {
    if (last[target] !== NONE) before.push(last[target]!)
    last[target] = i
  }
  for (let i = 0; i < n; i++) {
    const e = order[i]!
    const op = trace.op[e]!
    const target = trace.target[e]!
    const kind = OPS[op]!.target
    const task = trace.taskOf(e)
    if (lastOfTask[task] === NONE && forkAt[task] !== NONE) before.push(forkAt[task]!)
    if (kind === 'location') {
      if (lastWrite[target] !== NONE) before.push(lastWrite[target]!)
      if (op === READ) {
        readBefore[i] = lastRead[target]!
        lastRead[target] = i
      } else {
        for (let r = lastRead[target]!; r !== NONE; r = readBefore[r]!) before.push(r)
        lastRead[target] = NONE
        lastWrite[target] = i
      }
    } else if (kind === 'lock') {
      follow(lastOfLock, target, i)
      // A release that starts a wait matters to its signal as well.
      if (trace.op[e + 1] === WAKE && trace.taskOf(e + 1) === task) follow(lastOfSignal, trace.target[e + 1]!, i)
    } else if (op === WAKE || op === NOTIFY || op === NOTIFY_ALL) follow(lastOfSignal, target, i)
    else if (op === FORK) forkAt[target] = i
    else if (op === JOIN && lastOfTask[target] !== NONE) before.push(lastOfTask[target]!)
    lastOfTask[task] = i
    start[i + 1] = before.length
  }
  return { start, before: before.view() }
}
