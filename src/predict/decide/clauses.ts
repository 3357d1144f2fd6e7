/**
 * The rules of docs/model.md as clauses over orders, made one at a time: each method is told what an attempted order got wrong and gives the
 * search the clause that forbids it. Every clause holds in every feasible reordering, so a refutation is a proof.
 *
 * CUT is the point where the reordering ends: "x before CUT" means x runs. Clauses that only bind events that run carry a literal
 * "CUT before x" to escape by.
 */
import { TRY_SHARED_FAILED } from '../../trace/ops.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Literal, OrderSearch } from '../../solve/order-search.ts'
import type { Question } from './question.ts'

/** What an attempted order got wrong. */
export interface Violations {
  /** Sections of one lock that overlap. */
  readonly overlaps: (readonly [number, number])[]
  /** Reads that bind, and what they saw (NONE: the initial value). */
  readonly wrongReads: (readonly [EventId, EventId])[]
  /** Updates, and another task's write between their halves. */
  readonly divided: (readonly [EventId, EventId])[]
  /** Tries that fail and bind, with nobody who holds the lock. */
  readonly idleTries: EventId[]
  /** Wakes without a notify of their own, and which wake each notify served. */
  unserved: readonly EventId[]
  consumer: ReadonlyMap<EventId, EventId>
}

/** A rule the search had to be told, for explanations. */
export type Rule =
  | { readonly rule: 'overlap'; readonly sections: readonly [number, number] }
  | { readonly rule: 'sees'; readonly read: EventId; readonly write: EventId }
  | { readonly rule: 'between'; readonly read: EventId; readonly write: EventId; readonly other: EventId }
  | { readonly rule: 'served'; readonly wake: EventId }
  | { readonly rule: 'kept out'; readonly failed: EventId }
  | { readonly rule: 'update'; readonly update: EventId; readonly other: EventId }

/** One of several ways to satisfy an event (a write to see, a notify to be served by, an acquire to be kept out by), and the switch that chooses it. */
interface Option {
  readonly event: EventId
  readonly chosen: Literal
}

export class Clauses {
  /** Everything taught so far. If the search refutes the question, these rules together are why. */
  readonly rules: Rule[] = []
  private readonly known = new Set<string>()
  private readonly sights = new Map<EventId, Option[]>()
  private readonly services = new Map<EventId, Option[]>()

  constructor(
    private readonly causality: Causality,
    private readonly must: MustOrder,
    private readonly question: Question,
    private readonly search: OrderSearch,
    private readonly cut: number,
    private readonly recordedNotify: ReadonlyMap<EventId, EventId>,
    /** Tries that failed, and the section that kept each out in the recorded run. */
    private readonly holderOf: ReadonlyMap<EventId, number>,
    /** Allow only what was recorded: every read its write, every wake its notify. A refutation then proves nothing. */
    private readonly pinned: boolean,
  ) {}

  /** Adds what forbids these violations. */
  learn(violations: Violations): void {
    // Adding clauses undoes the search's choices, so what was chosen is read off first.
    const chosen = new Set<Literal>()
    for (const options of [...this.sights.values(), ...this.services.values()]) {
      for (const option of options) if (this.search.isTrue(option.chosen)) chosen.add(option.chosen)
    }
    for (const [a, b] of violations.overlaps) this.overlap(a, b)
    for (const [read, seen] of violations.wrongReads) this.wrongRead(read, seen, chosen)
    for (const [update, write] of violations.divided) this.divided(update, write)
    for (const failed of violations.idleTries) this.keptOut(failed)
    for (const wake of violations.unserved) this.unserved(wake, violations.consumer, chosen)
  }

  /** Is one of them not yet forbidden? */
  isNew(violations: Violations): boolean {
    return violations.overlaps.some(([a, b]) => !this.known.has(overlapKey(a, b)))
  }

  /** Two sections of one lock overlap. False if that is forbidden already. */
  overlap(a: number, b: number): boolean {
    if (!this.first(overlapKey(a, b))) return false
    this.rules.push({ rule: 'overlap', sections: [a, b] })
    const { sections } = this.causality
    const [acquireA, acquireB] = [sections.acquire[a]!, sections.acquire[b]!]
    const clause = [this.order(this.cut, acquireA), this.order(this.cut, acquireB)]
    if (sections.release[a] !== NONE) clause.push(this.order(sections.release[a]!, acquireB))
    if (sections.release[b] !== NONE) clause.push(this.order(sections.release[b]!, acquireA))
    this.search.clause(clause)
    return true
  }

  /** Another task's write comes between the halves of an update: it must come before the read half or after the update, if that runs. */
  private divided(update: EventId, other: EventId): void {
    if (!this.first(`U${update} ${other}`)) return
    this.rules.push({ rule: 'update', update, other })
    this.search.clause([this.order(this.cut, update), this.order(other, update - 1), this.order(update, other)])
  }

  /** Somebody else holds the lock where a try for it fails. */
  private keptOut(failed: EventId): void {
    if (!this.first(`T${failed}`)) return
    this.rules.push({ rule: 'kept out', failed })
    const { causality, must, search } = this
    const { sections, trace } = causality
    const lock = trace.target[failed]!
    const isShared = trace.op[failed] === TRY_SHARED_FAILED
    const recorded = this.holderOf.get(failed)
    const options: Literal[] = []
    for (const s of this.pinned ? [recorded!] : sections.lockSections.subarray(sections.lockStart[lock], sections.lockStart[lock + 1])) {
      const [acquire, release] = [sections.acquire[s]!, sections.release[s]!]
      if (!sections.keepsOut(s, causality.task[failed]!, isShared) || must.before(failed, acquire)) continue
      if (release !== NONE && must.before(release, failed)) continue
      options.push(search.choice(release === NONE ? [acquire, failed] : [acquire, failed, failed, release], s === recorded))
    }
    this.whileBound(failed, options)
  }

  private wrongRead(read: EventId, seen: EventId, chosen: Set<Literal>): void {
    if (this.pinned || this.causality.mustSeeRecorded(read)) {
      const writer = this.causality.writer[read]!
      if (writer !== NONE && this.first(`W${read}`)) {
        this.rules.push({ rule: 'sees', read, write: writer })
        this.whileBound(read, [this.order(writer, read)])
      }
      if (seen !== NONE) this.keepAway(read, writer, seen, [])
      return
    }
    let options = this.sights.get(read)
    if (!options) this.sights.set(read, (options = this.openSight(read)))
    if (seen === NONE) return // each option already demands its write before the read
    for (const option of options) {
      if (chosen.has(option.chosen) || option.event === this.causality.writer[read])
        this.keepAway(read, option.event, seen, [option.chosen ^ 1])
    }
  }

  /**
   * A wake has no notify of its own. It gets its options; if it has them and chose one, that one served another wake, which is then asked the
   * same, and so on. At the end of the chain stands a wake that has not chosen yet, or a notify that two chose: were all choices different, they
   * would be a matching, and the wake would have been served. (No wake comes twice, because a wake is served by one notify.)
   */
  private unserved(wake: EventId, consumer: ReadonlyMap<EventId, EventId>, chosen: Set<Literal>): void {
    const chosenBy = new Map<EventId, Literal>()
    for (let w: EventId | undefined = wake; w !== undefined;) {
      const options = this.services.get(w)
      if (!options) {
        this.services.set(w, this.openService(w))
        return
      }
      const mine: Option | undefined = options.find((o) => chosen.has(o.chosen))
      if (!mine) return
      const other = chosenBy.get(mine.event)
      if (other !== undefined) {
        this.search.clause([mine.chosen ^ 1, other ^ 1])
        return
      }
      chosenBy.set(mine.event, mine.chosen)
      w = consumer.get(mine.event)
    }
  }

  private openService(wake: EventId): Option[] {
    const { causality, search } = this
    this.rules.push({ rule: 'served', wake })
    const start = causality.waitStart(wake)
    const recorded = this.recordedNotify.get(wake)
    const options: Option[] = []
    for (const notify of this.pinned ? (recorded === undefined ? [] : [recorded]) : causality.notifies.of(causality.trace.target[wake]!)) {
      if (this.must.before(wake, notify) || (start !== NONE && this.must.before(notify, start))) continue
      const edges = start === NONE ? [notify, wake] : [notify, wake, start, notify]
      options.push({ event: notify, chosen: search.choice(edges, notify === recorded) })
    }
    search.clause([this.order(this.cut, wake), ...options.map((o) => o.chosen)])
    return options
  }

  /** `other` must not come between the write and the read (NONE: the initial value, so simply not before the read). */
  private keepAway(read: EventId, write: EventId, other: EventId, unless: readonly Literal[]): void {
    if (other === write || !this.first(`R${read} ${write} ${other}`)) return
    this.rules.push({ rule: 'between', read, write, other })
    const clause = [...unless, this.order(read, other)]
    if (write !== NONE) clause.push(this.order(other, write))
    this.whileBound(read, clause)
  }

  private openSight(read: EventId): Option[] {
    const { causality, search } = this
    const options: Option[] = []
    const recorded = causality.global ? causality.writer[read]! : NONE
    const hidden = this.hiddenFrom(read)
    const x = causality.trace.target[read]!
    for (const write of causality.writes.of(x)) {
      if (!causality.maySee(read, write) || hidden(write) || this.must.before(read, write)) continue
      options.push({ event: write, chosen: search.choice([write, read], write === recorded) })
    }
    if (causality.maySee(read, NONE) && !hidden(NONE)) {
      options.push({ event: NONE, chosen: search.choice([], causality.global && recorded === NONE) })
    }
    this.whileBound(
      read,
      options.map((o) => o.chosen),
    )
    return options
  }

  /** Which writes the read cannot see, because another write to the location certainly comes between (for NONE: certainly comes before). */
  private hiddenFrom(read: EventId): (write: EventId) => boolean {
    const { causality, must } = this
    const { trace, task } = causality
    const lastWrites: EventId[] = []
    for (let t = 0; t < trace.taskCount; t++) {
      // Own events before the read, other tasks' events that certainly precede it.
      const end = t === task[read] ? read : trace.taskStart[t]! + must.count(read, t)
      const last = causality.lastWriteBelow(trace.target[read]!, trace.taskStart[t]!, end)
      if (last !== NONE) lastWrites.push(last)
    }
    return (write) => (write === NONE ? lastWrites.length > 0 : lastWrites.some((w) => w !== write && must.before(write, w)))
  }

  /** Adds a clause that must hold whenever something that depends on the read (or the try) runs, or stands next. */
  private whileBound(read: EventId, clause: readonly Literal[]): void {
    const { causality, question } = this
    const t = causality.task[read]!
    for (const f of causality.boundBy(read)) {
      const certain = causality.task[f] === t && question.nextOf[t] === f
      this.search.clause(certain ? clause : [...clause, this.order(this.cut, f)])
    }
  }

  private order(a: number, b: number): Literal {
    if (a === this.cut) return this.search.order(a, b, true)
    if (b === this.cut) return this.search.order(a, b, false)
    return this.search.order(a, b, this.causality.earlier(a, b))
  }

  private first(key: string): boolean {
    if (this.known.has(key)) return false
    this.known.add(key)
    return true
  }
}

const overlapKey = (a: number, b: number): string => `L${Math.min(a, b)} ${Math.max(a, b)}`
