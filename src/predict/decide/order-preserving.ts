/**
 * The linear-time attempt: is there a reordering that keeps the recorded order of everything that runs? Then it is enough to find which
 * events run: all that must, plus, whenever two sections of one lock both begin, the rest of the earlier one, plus the recorded notify of
 * every wake and the one who kept out every try that failed. If that swallows nothing forbidden, the recorded order restricted to those events is a witness. (Nothing is to be done for updates:
 * no other write stood between their halves, and none does when events are left out.)
 *
 * This is the notion of sync-preserving reorderings (Mathur, Pavlogiannis, Viswanathan, POPL 2021), here for any candidate, with prefixes
 * as clocks so that a question costs far less than the length of the trace.
 */
import { NONE, type EventId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Question } from './question.ts'

export class OrderPreserving {
  private readonly notifyOf: readonly (readonly [EventId, EventId])[]

  /** `keeping` must be for model `data` (or `sync`, where reads are free), `recorded` its clocks: what runs keeps what it saw. */
  constructor(
    private readonly causality: Causality,
    private readonly keeping: Causality,
    private readonly recorded: MustOrder,
    /** Wakes and the notify that served each in the recorded run. */
    notifyOf: ReadonlyMap<EventId, EventId>,
    /** Tries that failed and the section that kept each out. */
    private readonly holderOf: ReadonlyMap<EventId, number>,
  ) {
    // Where only one notify could serve, must-order has it. There may be very many such: every message between threads is one.
    this.notifyOf = [...notifyOf].filter(([wake]) => causality.onlyNotify(wake) === NONE)
  }

  /** How many events of each task run, or undefined when keeping the recorded order does not do. */
  find(question: Question): Int32Array | undefined {
    const { trace } = this.causality
    const runs = new Int32Array(trace.taskCount)
    for (const [a, b] of question.demands.before) if (!this.causality.earlier(a, b)) return undefined
    for (const e of question.required) this.recorded.joinPast(e, runs)
    // The read before a demanded next event binds; its recorded writer is needed even where the question's model leaves a choice.
    for (const e of question.demands.next) this.keeping.edgesToReach(e, (from) => this.recorded.joinPast(from, runs))
    for (;;) {
      if (!within(runs, question.limit)) return undefined
      const grew = this.closeSections(runs)
      if (grew === undefined) return undefined
      const more = this.addNotifies(runs)
      if (!this.addHolders(runs, question) && !more && !grew) return runs
    }
  }

  /** Ends every open section that another one follows. True when something was added, undefined when that cannot be. */
  private closeSections(runs: Int32Array): boolean | undefined {
    const { sections, trace } = this.causality
    let grew = false
    for (let t = 0; t < runs.length; t++) {
      if (runs[t] === 0) continue
      const cut = trace.taskStart[t]! + runs[t]!
      for (let h = sections.headBefore(cut, t); h !== NONE; h = sections.rest(h)) {
        const section = sections.sectionAt(h)
        if (!this.followed(section, runs)) continue
        const release = sections.release[section]!
        if (release === NONE) return undefined
        this.recorded.joinPast(release, runs)
        grew = true
      }
    }
    return grew
  }

  /** Does a section that excludes this one, and was recorded after it, begin among the events that run? */
  private followed(section: number, runs: Int32Array): boolean {
    const { sections, trace } = this.causality
    const lock = sections.lock[section]!
    const acquire = sections.acquire[section]!
    for (let t = 0; t < runs.length; t++) {
      if (runs[t] === 0 || t === sections.task[section]) continue
      // Sections of the lock that begin in this task, latest first, as far back as they come after this one.
      for (let i = sections.lastOf(lock, trace.taskStart[t]! + runs[t]!); i >= sections.lockStart[lock]!; i--) {
        const other = sections.lockSections[i]!
        if (sections.task[other] !== t || !this.causality.earlier(acquire, sections.acquire[other]!)) break
        if (sections.conflict(section, other)) return true
      }
    }
    return false
  }

  private addHolders(runs: Int32Array, { nextOf }: Question): boolean {
    const { trace, task, sections } = this.causality
    let grew = false
    for (const [failed, holder] of this.holderOf) {
      const [t, u] = [task[failed]!, sections.task[holder]!]
      const acquire = sections.acquire[holder]!
      if (failed - trace.taskStart[t]! >= runs[t]! || acquire - trace.taskStart[u]! < runs[u]!) continue
      if (!this.causality.isFollowed(failed, runs, nextOf)) continue
      this.recorded.joinPast(acquire, runs)
      grew = true
    }
    return grew
  }

  private addNotifies(runs: Int32Array): boolean {
    const { trace, task } = this.causality
    let grew = false
    for (const [wake, notify] of this.notifyOf) {
      const t = task[wake]!
      const u = task[notify]!
      if (wake - trace.taskStart[t]! >= runs[t]! || notify - trace.taskStart[u]! < runs[u]!) continue
      this.recorded.joinPast(notify, runs)
      grew = true
    }
    return grew
  }
}

function within(runs: Int32Array, limit: Int32Array): boolean {
  for (let t = 0; t < runs.length; t++) if (runs[t]! > limit[t]!) return false
  return true
}
