/**
 * A witness kept small. A busy location has a million racy pairs, each with an order as long as the trace: as lists of events they would
 * not fit in memory. Events of a task run in their order, so it is enough to say which task runs for how many events, and where the
 * recorded order is kept among those that run, how many run of each task.
 */
import type { Trace } from '../trace/trace.ts'
import type { Witness } from './candidate.ts'

export class RunsWitness implements Witness {
  /** Pairs (task, number of events): runs one after another, or, where `recorded`, how many events of each task there are in all. */
  private readonly pairs: Int32Array | readonly number[]
  private readonly recorded: boolean
  private readonly length: number

  constructor(
    private readonly trace: Trace,
    order: Int32Array,
  ) {
    this.length = order.length
    const runs: number[] = []
    const counts = new Map<number, number>()
    for (let i = 0; i < order.length;) {
      const task = trace.taskOf(order[i]!)
      const end = trace.taskStart[task + 1]!
      const from = i
      do i++
      while (i < order.length && order[i] === order[i - 1]! + 1 && order[i]! < end)
      runs.push(task, i - from)
      counts.set(task, (counts.get(task) ?? 0) + i - from)
    }
    this.recorded = runs.length > 2 * counts.size && keepsRecordedOrder(trace, order, counts)
    const pairs = this.recorded ? [...counts].flat() : runs
    // There may be very many short ones, for which typed arrays are heavy.
    this.pairs = pairs.length > 32 ? Int32Array.from(pairs) : pairs.slice()
  }

  /** Made anew at each call. */
  get order(): Int32Array {
    const { pairs, trace } = this
    const order = new Int32Array(this.length)
    let filled = 0
    if (this.recorded) {
      const end = new Map<number, number>()
      for (let i = 0; i < pairs.length; i += 2) end.set(pairs[i]!, trace.taskStart[pairs[i]!]! + pairs[i + 1]!)
      const recorded = trace.recordedOrder()
      for (let i = 0; filled < order.length; i++)
        if (recorded[i]! < (end.get(trace.taskOf(recorded[i]!)) ?? 0)) order[filled++] = recorded[i]!
      return order
    }
    const next = trace.taskStart.slice()
    for (let i = 0; i < pairs.length; i += 2) {
      const task = pairs[i]!
      for (let k = pairs[i + 1]!; k > 0; k--) order[filled++] = next[task]!++
    }
    return order
  }
}

/** Is the order the recorded one of the events that run? */
function keepsRecordedOrder(trace: Trace, order: Int32Array, counts: ReadonlyMap<number, number>): boolean {
  const recorded = trace.recordedOrder()
  let filled = 0
  for (let i = 0; filled < order.length; i++) {
    const e = recorded[i]!
    if (e === order[filled]) filled++
    else {
      const task = trace.taskOf(e)
      if (e < trace.taskStart[task]! + (counts.get(task) ?? 0)) return false
    }
  }
  return true
}
