/**
 * Earlier uses of an object, tried if the last one gives no answer. The pairs have the last operation of each site, which is the freest under
 * must-order. But what a thread read since it took a lock binds: in a section that uses the object several times, only the first use may find it in
 * another state.
 */
import { WAKE, isAcquire } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import type { Machine } from '../../property/machine.ts'
import { Matcher } from '../../property/matcher.ts'

/** Events that are looked at before the last use. */
const FARTHEST = 1000

export class EarlierUses {
  private readonly matcher: Matcher

  constructor(
    private readonly trace: Trace,
    machine: Machine,
  ) {
    this.matcher = new Matcher(machine.events, machine.typestate.parameters, trace)
  }

  /** Since the task last took a lock or was woken: the first use at the place of this one, and the first at any place. */
  of(use: EventId, binding: Int32Array): EventId[] {
    const { op, site, taskStart } = this.trace
    const from = Math.max(taskStart[this.trace.taskOf(use)]!, use - FARTHEST)
    let here: EventId = NONE
    let anywhere: EventId = NONE
    for (let e = use - 1; e >= from && !isAcquire(op[e]!) && op[e] !== WAKE; e--) {
      if (!this.isUse(e, binding)) continue
      anywhere = e
      if (site[e] === site[use]) here = e
    }
    return [...new Set([here, anywhere])].filter((e) => e !== NONE)
  }

  private isUse(e: EventId, binding: Int32Array): boolean {
    const { matcher } = this
    return matcher.candidates(e).some((operation) => matcher.match(operation, e) && matcher.bound.every((code, i) => code === binding[i]))
  }
}
