/**
 * Branches of one trace as a text for Z3 (TAME, section 4): an order number for every event, a value for every read that some write or condition is made of, reads
 * matched to the writes they may see, every branch that runs kept as it was. The order rules are those of ../decide/encode-smt.ts; a branch that does not
 * run (its number is behind CUT) asks nothing, so that writes of other tasks come with the conditions that led to them, and no others.
 *
 * One text has many questions: what is said of the trace is said once, and each branch is asked between push and pop.
 */
import { NO_NODE, type Node } from '../../symbolic/expressions.ts'
import { UNKNOWN } from '../../symbolic/known.ts'
import { SMT_PRELUDE, Terms, type Needs } from '../../symbolic/smt.ts'
import { PIN_KIND } from '../../symbolic/symbolic-trace.ts'
import { BRANCH } from '../../trace/ops.ts'
import type { EventId } from '../../trace/trace.ts'
import { and, Cone, implies, not, or, Question, SmtEncoder } from '../decide/encode-smt.ts'
import { noDemands } from '../propose/group.ts'
import type { Sources } from './thread-sources.ts'

/**
 * What Z3 should be opened with for these texts. Of seven branches of a lock with condition variables (233 events) it answers five within 4 s each, where the default answers
 * three, and those in 0.6 of the time.
 */
export const BRANCH_SETUP = '(set-option :auto_config false)\n(set-option :smt.relevancy 0)'

export class BranchEncoder {
  private readonly rules: SmtEncoder

  constructor(private readonly sources: Sources) {
    // Which write a read sees is said here, with values.
    this.rules = new SmtEncoder(sources.symbolic.trace, 'sync')
  }

  /** The answer to each branch follows a line with `separator` and its number. */
  text(branches: readonly EventId[], separator: string): string {
    return this.questionOf(branches).batch(separator)
  }

  /** How many orders of two writes and a read the text would speak of, about. */
  size(branches: readonly EventId[]): number {
    const { sources } = this
    const { trace, of } = sources.symbolic
    const cone = this.coneOf(branches)
    const reads = new Set<EventId>()
    for (let e = 0; e < trace.eventCount; e++) {
      if (of[e] === NO_NODE || !cone.has(e)) continue
      for (const read of sources.inputs.of(of[e]!)) reads.add(read)
    }
    let size = 0
    for (const read of reads) size += sources.of(read).writes.length * sources.causality.writes.of(trace.target[read]!).length
    return size
  }

  private questionOf(branches: readonly EventId[]): BranchQuestion {
    return new BranchQuestion(this.rules, this.coneOf(branches), this.sources, branches)
  }

  private coneOf(branches: readonly EventId[]): Cone {
    const { sources } = this
    const { of } = sources.symbolic
    const needs = (e: EventId): EventId[] => Array.from(sources.inputs.of(of[e]!)).flatMap((read) => [...sources.of(read).writes])
    return new Cone(this.rules, { ...noDemands, include: branches }, needs)
  }
}

class BranchQuestion extends Question {
  private readonly terms: Terms
  private readonly values = new Set<EventId>()

  constructor(
    rules: SmtEncoder,
    cone: Cone,
    private readonly sources: Sources,
    private readonly branches: readonly EventId[],
  ) {
    super(rules, noDemands, cone)
    this.terms = new Terms(sources.symbolic.expressions, (read) => this.valueOf(read))
  }

  batch(separator: string): string {
    const asked = this.branches.map((b) => this.ask(b))
    this.sayBranches()
    this.sayRules()
    const declarations = [
      ...this.declarations(),
      ...Array.from(this.values, (read) => `(declare-const v${read} Int) (declare-const k${read} Bool)`),
    ]
    const order = this.getOrder()
    return [
      SMT_PRELUDE,
      ...declarations,
      this.terms.definitions(),
      ...this.lines,
      ...asked.flatMap((formula, i) => [`(echo "${separator}${i}")`, '(push)', `(assert ${formula})`, '(check-sat)', order, '(pop)']),
    ].join('\n')
  }

  /** The branch is next, and comes out otherwise. */
  private ask(branch: EventId): string {
    const { trace, of } = this.sources.symbolic
    const kept = this.terms.keeps(trace.targetName(branch), of[branch]!)
    return and(this.isIn(branch - 1), not(this.isIn(branch)), not(kept.text), this.holds(of[branch]!, kept))
  }

  private sayBranches(): void {
    const { trace, of } = this.sources.symbolic
    for (let e = 0; e < trace.eventCount; e++) {
      if (trace.op[e] !== BRANCH || of[e] === NO_NODE || !this.cone.has(e)) continue
      const kind = trace.targetName(e)
      // A pin asks for the value itself, as an index does.
      const kept = this.terms.keeps(kind === PIN_KIND ? 'index' : kind, of[e]!)
      this.say(implies(this.isIn(e), and(kept.text, this.holds(of[e]!, kept))))
    }
  }

  /** Reads that something is made of; the others may see anything. Those whose writers are made of others bring these in. */
  protected override sayReads(): void {
    // Those that are added on the way are visited too.
    for (const read of this.values) this.sayRead(read)
  }

  private sayRead(read: EventId): void {
    const { symbolic, initial, recorded, must, causality } = this.sources
    const { trace, of } = symbolic
    const x = trace.target[read]!
    const all = Array.from(causality.writes.of(x)).filter((w) => this.cone.has(w) && !must.before(read, w))
    const sights = this.sources.of(read)
    const value = this.valueOf(read)
    const options: string[] = []
    for (const w of sights.writes) {
      if (!this.cone.has(w)) continue
      const written = of[w] === NO_NODE ? this.constant(recorded.of(w)) : this.terms.value(of[w]!)
      if (written === undefined) continue
      const others = all.filter((other) => other !== w && !must.before(other, w))
      const last = others.map((other) => or(this.less(other, w), this.less(read, other)))
      const needs = of[w] === NO_NODE ? 'true' : this.holds(of[w]!, this.terms.needs(of[w]!))
      options.push(and(this.less(w, read), ...last, `(= ${value} ${written})`, needs))
    }
    const start = this.constant(initial[x]!)
    if (sights.initial && start !== undefined) options.push(and(...all.map((w) => this.less(read, w)), `(= ${value} ${start})`))
    this.say(implies(this.isKnown(read), or(...options)))
  }

  /** What the term of the node needs; its inputs have values. */
  private holds(node: Node, { guards, pins }: Needs): string {
    const known = Array.from(this.sources.inputs.of(node), (read) => this.isKnown(read))
    const { recorded } = this.sources
    return and(...known, ...guards, ...pins.map((read) => this.pinned(read, this.constant(recorded.of(read)))))
  }

  private pinned(read: EventId, value: string | undefined): string {
    return value === undefined ? 'false' : `(= ${this.valueOf(read)} ${value})`
  }

  private constant(value: Parameters<Terms['constant']>[0] | typeof UNKNOWN): string | undefined {
    return value === UNKNOWN ? undefined : this.terms.constant(value)
  }

  /** Does it see what somebody knows? Asked of the reads that matter only: what was there at the start may not have been observed. */
  private isKnown(read: EventId): string {
    this.values.add(read)
    return `k${read}`
  }

  private valueOf(read: EventId): string {
    this.values.add(read)
    return `v${read}`
  }
}
