/** A recorded run of threads as properties see it (property/instance.ts): the task attribute is a thread, and must-order says what cannot be reversed. */
import type { EventId, Trace } from '../trace/trace.ts'
import { beginOf } from '../trace/updates.ts'
import type { Run } from '../property/instance.ts'
import type { Causality } from './causality.ts'
import type { MustOrder } from './must-order.ts'

export class ThreadRun implements Run {
  readonly trace: Trace

  /** `order`: the run to look at, if not the recorded one. */
  constructor(
    private readonly causality: Causality,
    private readonly must: MustOrder,
    readonly order: Int32Array = causality.trace.recordedOrder(),
  ) {
    this.trace = causality.trace
  }

  /** Another run of the same events, or of some of them. */
  inOrder(order: Int32Array): ThreadRun {
    return new ThreadRun(this.causality, this.must, order)
  }

  /** An update that is only looked at as what comes next has nothing behind it but its read half, which is free to see anything. */
  mayPrecede(a: EventId, b: EventId): boolean {
    if (this.sameTask(a, b)) return a < b
    return !this.must.before(b, beginOf(this.trace, a))
  }

  sameTask(a: EventId, b: EventId): boolean {
    return this.causality.task[a] === this.causality.task[b]
  }

  otherTask(a: EventId, b: EventId): boolean {
    return !this.sameTask(a, b)
  }

  flow(event: EventId): number {
    return this.causality.task[event]!
  }
}
