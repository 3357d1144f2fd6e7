/**
 * Steps of threads in a joined trace: which events are one step, its word in a schedule, and its site. Uses the trace in which locks made by hand are
 * still the updates and stores of the program.
 */
import { CALL, RELEASE_SHARED, TURN_BEGIN, TURN_END } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../../trace/trace.ts'
import type { Vocabulary } from '../../trace/vocabulary.ts'

/** Events that come with a step and are none. */
export const isAside = (op: number): boolean => op === TURN_BEGIN || op === TURN_END || op === CALL

export class Steps {
  constructor(
    readonly trace: Trace,
    readonly stepOf: Int32Array,
    readonly vocabulary: Vocabulary,
  ) {}

  /** The events of a step, from and up to. Steps that touch nothing shared have none. */
  range(task: TaskId, step: number): readonly [EventId, EventId] {
    return [this.firstFrom(task, step), this.firstFrom(task, step + 1)]
  }

  text(task: TaskId, step: number): string {
    const [from, to] = this.range(task, step)
    return this.vocabulary.stepText(this.trace, from, to)
  }

  /** Where its first event that says so is. */
  site(task: TaskId, step: number): string {
    const [from, to] = this.range(task, step)
    for (let e = from; e < to; e++) if (this.trace.site[e] !== NONE) return this.trace.siteName(e).split(' < ')[0]!
    return ''
  }

  /** How many steps the thread took, as far as it has events. */
  count(task: TaskId): number {
    const end = this.trace.taskStart[task + 1]!
    return end === this.trace.taskStart[task] ? 0 : this.stepOf[end - 1]!
  }

  /** Where waits timed out, if they are given up after a time. */
  sleeps(): string[] {
    const { trace, stepOf } = this
    if (!this.vocabulary.loops) return []
    const places = new Set<string>()
    for (let t = 0; t < trace.taskCount; t++) {
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
        const mayBe = trace.op[e] === RELEASE_SHARED || trace.op[e] === CALL
        if (mayBe && this.text(t, stepOf[e]!) === 'timed out') places.add(this.site(t, stepOf[e]!))
      }
    }
    return [...places].filter((place) => place !== '').sort()
  }

  /** The first event of the task in this step or a later one. */
  private firstFrom(task: TaskId, step: number): EventId {
    let lo = this.trace.taskStart[task]!
    let hi = this.trace.taskStart[task + 1]!
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.stepOf[mid]! < step) lo = mid + 1
      else hi = mid
    }
    return lo
  }
}
