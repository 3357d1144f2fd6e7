/**
 * Makes a witness easier to follow: fewer switches between tasks. Events that depend on each other (same task, same location and one
 * writes, same lock, fork and join, notify and wake) keep their order, so the result means the same; among the rest, the task that ran last goes
 * on as long as it can, and then the one whose turn came first in the witness.
 */
import { FORK, JOIN, NOTIFY, NOTIFY_ALL, OPS, READ, WAKE } from '../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../trace/trace.ts'

export function simplify(trace: Trace, order: Int32Array): Int32Array {
  const n = order.length
  const before = dependencies(trace, order)
  const place = new Map<number, number>() // task → index of its next event in `mine`
  const mine = new Map<number, number[]>()
  const tasks: number[] = []
  const taskAt = new Int32Array(n)
  for (let i = 0; i < n; i++) {
    const t = trace.taskOf(order[i]!)
    taskAt[i] = t
    const list = mine.get(t)
    if (list) list.push(i)
    else {
      mine.set(t, [i])
      place.set(t, 0)
      tasks.push(t)
    }
  }
  const done = new Uint8Array(n)
  const ready = (i: number): boolean => {
    for (const j of before[i]!) if (!done[j]) return false
    return true
  }
  const out = new Int32Array(n)
  let filled = 0
  let current = NONE
  while (filled < n) {
    let pick = NONE
    const next = current === NONE ? undefined : mine.get(current)![place.get(current)!]
    if (next !== undefined && ready(next)) pick = next
    else {
      // Every task's first event in witness order is a valid choice, so the smallest ready index always exists.
      for (const t of tasks) {
        const i = mine.get(t)![place.get(t)!]
        if (i !== undefined && (pick === NONE || i < pick) && ready(i)) pick = i
      }
    }
    out[filled++] = order[pick]!
    done[pick] = 1
    current = taskAt[pick]!
    place.set(current, place.get(current)! + 1)
  }
  return switches(trace, out) <= switches(trace, order) ? out : order
}

/** How often the running task changes. */
export function switches(trace: Trace, order: Int32Array): number {
  let count = 0
  for (let i = 1; i < order.length; i++) if (trace.taskOf(order[i]!) !== trace.taskOf(order[i - 1]!)) count++
  return count
}

/** Per index: the indices it must follow, besides those of its own task. */
function dependencies(trace: Trace, order: Int32Array): number[][] {
  const before: number[][] = []
  const lastWrite = new Map<number, number>()
  const readers = new Map<number, number[]>()
  const lastOf = new Map<string, number>() // locks and signals, by kind and number
  const forkAt = new Map<number, number>()
  const lastOfTask = new Map<number, number>()
  order.forEach((e: EventId, i) => {
    const deps: number[] = []
    const op = trace.op[e]!
    const target = trace.target[e]!
    const kind = OPS[op]!.target
    const task = trace.taskOf(e)
    if (!lastOfTask.has(task) && forkAt.has(task)) deps.push(forkAt.get(task)!)
    if (kind === 'location') {
      const write = lastWrite.get(target)
      if (op === READ) {
        if (write !== undefined) deps.push(write)
        const list = readers.get(target)
        if (list) list.push(i)
        else readers.set(target, [i])
      } else {
        if (write !== undefined) deps.push(write)
        deps.push(...(readers.get(target) ?? []))
        readers.set(target, [])
        lastWrite.set(target, i)
      }
    } else if (kind === 'lock' || op === WAKE || op === NOTIFY || op === NOTIFY_ALL) {
      // A release that starts a wait matters to its signal as well.
      const keys = [`${kind} ${target}`]
      if (kind === 'lock' && trace.op[e + 1] === WAKE && trace.taskOf(e + 1) === task) keys.push(`signal ${trace.target[e + 1]}`)
      for (const key of keys) {
        const last = lastOf.get(key)
        if (last !== undefined) deps.push(last)
        lastOf.set(key, i)
      }
    } else if (op === FORK) forkAt.set(target, i)
    else if (op === JOIN && lastOfTask.has(target)) deps.push(lastOfTask.get(target)!)
    lastOfTask.set(task, i)
    before.push(deps)
  })
  return before
}
