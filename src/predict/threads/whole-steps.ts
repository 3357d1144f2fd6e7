/**
 * A witness in whole steps. The model orders events, a replay orders steps: where a witness leaves a thread in the middle of one, the step is
 * finished there, or put where it ends. The checker says whether the order is still good; if neither way is, no replay could show it.
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
  const end = ran.slice()
  for (let t = 0; t < trace.taskCount; t++) {
    // A step that has begun is finished, unless it is the one that is to come next.
    while (end[t]! > trace.taskStart[t]! && end[t]! < trace.taskStart[t + 1]! && stepOf[end[t]!] === stepOf[end[t]! - 1]) end[t]!++
    for (const e of next) if (trace.taskOf(e) === t) end[t] = e
  }
  const asked: Demands = { ...demands, next }
  for (const place of ['last', 'first'] as const) {
    const whole = gathered(trace, stepOf, order, task, ran, end, place)
    if (checker.check(asked, whole) === undefined) return { order: whole, next }
  }
  return undefined
}

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
