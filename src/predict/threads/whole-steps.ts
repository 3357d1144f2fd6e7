/**
 * A witness in whole steps. The model orders events, a replay orders steps. If a witness leaves a thread in the middle of a step, the step is
 * finished there, moved to where it ends, or not begun. The checker says whether the order is still feasible; if none of these is, no replay could
 * show it.
 */
import type { EventId, Trace } from '../../trace/trace.ts'
import type { Demands } from '../../witness/candidate.ts'

export interface WholeSteps {
  readonly order: Int32Array
  /** What is demanded next, from the begin of its step. */
  readonly next: readonly EventId[]
}

export function wholeSteps(
  trace: Trace,
  stepOf: Int32Array,
  checker: { check(demands: Demands, order: Int32Array): unknown },
  demands: Demands,
  order: Int32Array,
): WholeSteps | undefined {
  const task = new Int32Array(order.length)
  const ran = trace.taskStart.slice(0, -1) // per task: the event after its last one in the order
  for (let i = 0; i < order.length; i++) {
    task[i] = trace.taskOf(order[i]!)
    ran[task[i]!] = order[i]! + 1
  }
  const next = demands.next.map((e) => firstOfStep(trace, stepOf, e))
  const finished = ran.slice()
  const cut = ran.slice()
  for (let t = 0; t < trace.taskCount; t++) {
    if (isInside(trace, stepOf, t, ran[t]!)) {
      while (isInside(trace, stepOf, t, finished[t]!)) finished[t]!++
      cut[t] = firstOf(stepOf, ran[t]! - 1, trace.taskStart[t]!)
    }
    // The step that is to come next is not begun.
    for (const e of next) if (trace.taskOf(e) === t) finished[t] = cut[t] = e
  }
  const asked: Demands = { ...demands, next }
  for (const end of ends(finished, cut))
    for (const place of ['last', 'first'] as const) {
      const whole = gathered(trace, stepOf, order, task, ran, end, place)
      if (checker.check(asked, whole) === undefined) return { order: whole, next }
    }
  return undefined
}

/** Where the tasks stop: every step that has begun is finished, then none, then one at a time is not begun, or is the only one that is finished. */
function* ends(finished: Int32Array, cut: Int32Array): Iterable<Int32Array> {
  yield finished
  const open: number[] = []
  for (let t = 0; t < cut.length; t++) if (cut[t] !== finished[t]) open.push(t)
  if (open.length === 0) return
  yield cut
  if (open.length === 1) return
  for (const [most, other] of [
    [finished, cut],
    [cut, finished],
  ] as const)
    for (const t of open) {
      const mixed = most.slice()
      mixed[t] = other[t]!
      yield mixed
    }
}

/** Does the step of the event before this one go on with it? */
const isInside = (trace: Trace, stepOf: Int32Array, task: number, e: EventId): boolean =>
  e > trace.taskStart[task]! && e < trace.taskStart[task + 1]! && stepOf[e] === stepOf[e - 1]

/** Every step where its first event was, or where the last of its events in the order was. */
function gathered(
  trace: Trace,
  stepOf: Int32Array,
  order: Int32Array,
  task: Int32Array,
  ran: Int32Array,
  end: Int32Array,
  place: 'first' | 'last',
): Int32Array {
  let size = 0
  for (let t = 0; t < trace.taskCount; t++) size += end[t]! - trace.taskStart[t]!
  const out = new Int32Array(size)
  let filled = 0
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const t = task[i]!
    const from = trace.taskStart[t]!
    if (e >= end[t]!) continue
    const here =
      place === 'first'
        ? e === from || stepOf[e - 1] !== stepOf[e]
        : e + 1 === ran[t] || e + 1 === trace.taskStart[t + 1] || stepOf[e + 1] !== stepOf[e]
    if (!here) continue
    let k = place === 'first' ? e : firstOf(stepOf, e, from)
    for (; k < end[t]! && stepOf[k] === stepOf[e]; k++) out[filled++] = k
  }
  return out
}

const firstOfStep = (trace: Trace, stepOf: Int32Array, e: EventId): EventId => firstOf(stepOf, e, trace.taskStart[trace.taskOf(e)]!)

function firstOf(stepOf: Int32Array, e: EventId, from: EventId): EventId {
  while (e > from && stepOf[e - 1] === stepOf[e]) e--
  return e
}
