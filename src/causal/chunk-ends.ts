/**
 * Where the windows of a chunk end. What would need an event that the chunk does not have cannot be in it: a join of a task that goes on behind its window,
 * and a task that is forked behind the window of its parent.
 */
import { FORK, JOIN } from '../trace/ops.ts'
import { NONE, type Trace } from '../trace/trace.ts'
import type { Cut } from './chunk-cuts.ts'
import { lowerBound } from '../base/lower-bound.ts'

export class WindowEnds {
  private readonly forkOf: Int32Array
  private readonly forkTask: Int32Array
  private readonly joins: Int32Array

  constructor(private readonly trace: Trace) {
    this.forkOf = new Int32Array(trace.taskCount).fill(NONE)
    this.forkTask = new Int32Array(trace.taskCount).fill(NONE)
    const joins: number[] = []
    for (let t = 0; t < trace.taskCount; t++) {
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
        if (trace.op[e] === JOIN) joins.push(e)
        else if (trace.op[e] === FORK) {
          this.forkOf[trace.target[e]!] = e
          this.forkTask[trace.target[e]!] = t
        }
      }
    }
    this.joins = Int32Array.from(joins)
  }

  /** Was the task there when the cut was reached? */
  isThere(task: number, from: Cut): boolean {
    return this.forkOf[task] === NONE || this.forkIndex(task) < from[this.forkTask[task]!]!
  }

  /** Draws `to` back until nothing in the windows needs what lies behind them. */
  settle(from: Cut, to: Cut): void {
    const { trace, joins } = this
    for (let changed = true; changed;) {
      changed = false
      for (let t = 0; t < to.length; t++) {
        if (from[t] === to[t]) continue
        const fork = this.forkOf[t]!
        if (fork !== NONE && this.forkIndex(t) >= to[this.forkTask[t]!]!) {
          to[t] = from[t]!
          changed = true
          continue
        }
        const start = trace.taskStart[t]!
        for (let j = lowerBound(joins, start + from[t]!); j < joins.length && joins[j]! < start + to[t]!; j++) {
          const u = trace.target[joins[j]!]!
          if (to[u] === trace.taskStart[u + 1]! - trace.taskStart[u]!) continue
          to[t] = joins[j]! - start
          changed = true
        }
      }
    }
  }

  private forkIndex(task: number): number {
    return this.forkOf[task]! - this.trace.taskStart[this.forkTask[task]!]!
  }
}
