/**
 * A candidate's demands against one trace, worked out: which task must stop where, and what certainly belongs to the reordering. The cheap
 * refusals (must-order, common locks) fall out on the way.
 */
import { NONE, type EventId } from '../../trace/trace.ts'
import type { Demands } from '../../witness/candidate.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'

export class Question {
  /** Per task: the event demanded next, or NONE. */
  readonly nextOf: Int32Array
  /** Per task: how many events it may run at most. */
  readonly limit: Int32Array
  /** Events that certainly run; everything before them runs too. */
  readonly required: EventId[] = []
  /** Per task: how many events run at least. */
  readonly least: Int32Array
  /** Why there can be no answer, found without search. */
  readonly refused: 'must-order' | 'locks' | undefined

  constructor(
    readonly causality: Causality,
    must: MustOrder,
    readonly demands: Demands,
  ) {
    const { trace, task } = causality
    this.nextOf = new Int32Array(trace.taskCount).fill(NONE)
    this.limit = new Int32Array(trace.taskCount)
    for (let t = 0; t < trace.taskCount; t++) this.limit[t] = causality.lengthOf(t)
    this.least = new Int32Array(trace.taskCount)
    let clash = false
    const stopBefore = (e: EventId): void => {
      const t = task[e]!
      this.limit[t] = Math.min(this.limit[t]!, causality.positionOf(e))
    }
    for (const e of demands.next) {
      if (this.nextOf[task[e]!] !== NONE && this.nextOf[task[e]!] !== e) clash = true
      this.nextOf[task[e]!] = e
      stopBefore(e)
      causality.edgesToReach(e, (from) => this.required.push(from))
    }
    for (const e of demands.without) stopBefore(e)
    for (const [a, b] of demands.before) this.required.push(a, b)
    for (const e of demands.include) this.required.push(e)
    for (const e of this.required) must.joinPast(e, this.least)
    for (let t = 0; t < trace.taskCount; t++) if (this.least[t]! > this.limit[t]!) clash = true
    for (const [a, b] of demands.before) if (a === b || must.before(b, a)) clash = true
    this.refused = clash ? 'must-order' : this.locksClash() ? 'locks' : undefined
  }

  /** Two tasks that stop inside sections of one lock can never both get there. */
  private locksClash(): boolean {
    const { sections, task } = this.causality
    const held: number[] = []
    for (const e of this.demands.next) {
      for (let h = sections.headBefore(e, task[e]!); h !== NONE; h = sections.rest(h)) {
        const section = sections.sectionAt(h)
        for (const other of held) if (sections.conflict(section, other)) return true
        held.push(section)
      }
    }
    return false
  }
}
