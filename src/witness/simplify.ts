/**
 * Makes a witness easier to follow: fewer switches between tasks. Events that depend on each other (same task, same location and one
 * writes, same lock, fork and join, notify and wake) keep their order, and so do demanded pairs, so the result means the same (and a write
 * that stood outside an update stays outside); among the rest, the task that ran last goes on as long as it can, and then the one whose
 * turn came first in the witness.
 */
import { GrowInt32 } from '../base/grow.ts'
import { FORK, JOIN, NOTIFY, NOTIFY_ALL, WAKE, isAcquire, isRead, isRelease, isTry, isWrite } from '../trace/ops.ts'
import { NONE, type Trace } from '../trace/trace.ts'
import type { Demands } from './candidate.ts'

export function simplify(trace: Trace, order: Int32Array, keep: Demands['before'] = []): Int32Array {
  const n = order.length
  const task = new Int32Array(n)
  /** Per index: the next one of the same task. */
  const next = new Int32Array(n).fill(NONE)
  const last = new Int32Array(trace.taskCount).fill(NONE)
  const turn = new Int32Array(trace.taskCount).fill(NONE) // per task: its first index that has not run
  for (let i = 0; i < n; i++) {
    const t = (task[i] = trace.taskOf(order[i]!))
    if (last[t] === NONE) turn[t] = i
    else next[last[t]!] = i
    last[t] = i
  }
  const { waits, start, after } = dependencies(trace, order, task, keep)
  const out = new Int32Array(n)
  let current = NONE
  for (let filled = 0; filled < n; filled++) {
    let pick = current === NONE ? NONE : turn[current]!
    if (pick === NONE || waits[pick] !== 0) {
      // The first index of the witness that has not run waits for nothing, so there always is one.
      pick = NONE
      for (const i of turn) if (i !== NONE && waits[i] === 0 && (pick === NONE || i < pick)) pick = i
    }
    current = task[pick]!
    turn[current] = next[pick]!
    out[filled] = order[pick]!
    for (let k = start[pick]!; k < start[pick + 1]!; k++) waits[after[k]!]!--
  }
  return switches(trace, out) <= switches(trace, order) ? out : order
}

/** How often the running task changes. */
export function switches(trace: Trace, order: Int32Array): number {
  let count = 0
  let current = NONE
  for (const e of order) {
    if (current !== NONE && e >= trace.taskStart[current]! && e < trace.taskStart[current + 1]!) continue
    if (current !== NONE) count++
    current = trace.taskOf(e)
  }
  return count
}

interface Dependencies {
  /** Per index: how many indices of other tasks it must follow. */
  readonly waits: Int32Array
  /** after[start[i] .. start[i + 1]) must follow i. */
  readonly start: Int32Array
  readonly after: Int32Array
}

function dependencies(trace: Trace, order: Int32Array, task: Int32Array, keep: Demands['before']): Dependencies {
  const n = order.length
  const edges = new GrowInt32(n)
  const edge = (from: number, to: number): void => {
    if (from === NONE || task[from] === task[to]) return
    edges.push(from)
    edges.push(to)
  }
  const { locations, locks, signals } = trace.tables
  const lastWrite = new Int32Array(locations.size).fill(NONE)
  const lastRead = new Int32Array(locations.size).fill(NONE)
  const readBefore = new Int32Array(n).fill(NONE) // reads of a location since its last write, as a list
  const lastLock = new Int32Array(locks.size).fill(NONE)
  const lastSignal = new Int32Array(signals.size).fill(NONE)
  const forkAt = new Int32Array(trace.taskCount).fill(NONE)
  const lastOfTask = new Int32Array(trace.taskCount).fill(NONE)
  for (let i = 0; i < n; i++) {
    const e = order[i]!
    const t = task[i]!
    const op = trace.op[e]!
    const target = trace.target[e]!
    if (lastOfTask[t] === NONE) edge(forkAt[t]!, i)
    if (isRead(op)) {
      edge(lastWrite[target]!, i)
      readBefore[i] = lastRead[target]!
      lastRead[target] = i
    } else if (isWrite(op)) {
      edge(lastWrite[target]!, i)
      for (let r = lastRead[target]!; r !== NONE; r = readBefore[r]!) edge(r, i)
      lastRead[target] = NONE
      lastWrite[target] = i
    } else if (isAcquire(op) || isRelease(op) || isTry(op)) {
      edge(lastLock[target]!, i)
      lastLock[target] = i
      if (isRelease(op) && trace.op[e + 1] === WAKE && e + 1 < trace.taskStart[t + 1]!) touch(trace.target[e + 1]!, i) // a wait starts here
    } else if (op === WAKE || op === NOTIFY || op === NOTIFY_ALL) touch(target, i)
    else if (op === FORK) forkAt[target] = i
    else if (op === JOIN) edge(lastOfTask[target]!, i)
    lastOfTask[t] = i
  }
  if (keep.length > 0) {
    const kept = new Set(keep.flat())
    const place = new Map<number, number>()
    for (let i = 0; i < n; i++) if (kept.has(order[i]!)) place.set(order[i]!, i)
    for (const [a, b] of keep) edge(place.get(a) ?? NONE, place.get(b)!)
  }
  return byStart(n, edges.view())

  function touch(signal: number, i: number): void {
    edge(lastSignal[signal]!, i)
    lastSignal[signal] = i
  }
}

function byStart(n: number, edges: Int32Array): Dependencies {
  const waits = new Int32Array(n)
  const start = new Int32Array(n + 1)
  for (let k = 0; k < edges.length; k += 2) {
    start[edges[k]! + 1]!++
    waits[edges[k + 1]!]!++
  }
  for (let i = 0; i < n; i++) start[i + 1]! += start[i]!
  const after = new Int32Array(edges.length / 2)
  const fill = start.slice(0, n)
  for (let k = 0; k < edges.length; k += 2) after[fill[edges[k]!]!++] = edges[k + 1]!
  return { waits, start, after }
}
