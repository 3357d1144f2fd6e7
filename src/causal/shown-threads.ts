/** A run of threads that a replay made, as properties see it (property/instance.ts): its events, in the order in which they happened. */
import type { Run } from '../property/instance.ts'
import type { EventId, Trace } from '../trace/trace.ts'

export class ShownThreads implements Run {
  readonly order: Int32Array
  private readonly task: Int32Array
  private readonly place: Int32Array

  constructor(readonly trace: Trace) {
    this.order = trace.recordedOrder()
    this.task = new Int32Array(trace.eventCount)
    for (let t = 0; t < trace.taskCount; t++) this.task.fill(t, trace.taskStart[t]!, trace.taskStart[t + 1]!)
    this.place = new Int32Array(trace.eventCount)
    for (const [i, e] of this.order.entries()) this.place[e] = i
  }

  mayPrecede(a: EventId, b: EventId): boolean {
    return this.place[a]! < this.place[b]!
  }

  sameTask(a: EventId, b: EventId): boolean {
    return this.task[a] === this.task[b]
  }

  otherTask(a: EventId, b: EventId): boolean {
    return !this.sameTask(a, b)
  }

  flow(event: EventId): number {
    return this.task[event]!
  }

  nameOf(event: EventId): string {
    return this.trace.taskName(this.task[event]!)
  }
}
