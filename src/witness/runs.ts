/**
 * A witness kept as runs: which task runs, and for how many events. Events of a task run in their order, so that says it all, and after
 * simplification there are few runs. A busy location has a million racy pairs, each with an order as long as the trace: as lists of events
 * they would not fit in memory.
 */
import type { Trace } from '../trace/trace.ts'
import type { Witness } from './candidate.ts'

export class RunsWitness implements Witness {
  /** Pairs: task, number of events. */
  private readonly runs: Int32Array
  private readonly length: number

  constructor(
    private readonly trace: Trace,
    order: Int32Array,
  ) {
    const runs: number[] = []
    let end = 0 // of the task that runs: until there no search is needed
    for (let i = 0, last = -1; i < order.length; i++) {
      const e = order[i]!
      if (e === last + 1 && e < end) runs[runs.length - 1]!++
      else {
        const task = trace.taskOf(e)
        end = trace.taskStart[task + 1]!
        if (runs.at(-2) === task) runs[runs.length - 1]!++
        else runs.push(task, 1)
      }
      last = e
    }
    this.runs = Int32Array.from(runs)
    this.length = order.length
  }

  /** Made anew at each call. */
  get order(): Int32Array {
    const { runs, trace } = this
    const next = trace.taskStart.slice()
    const order = new Int32Array(this.length)
    let filled = 0
    for (let i = 0; i < runs.length; i += 2) {
      const task = runs[i]!
      for (let k = runs[i + 1]!; k > 0; k--) order[filled++] = next[task]!++
    }
    return order
  }
}
