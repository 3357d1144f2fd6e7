/**
 * An order that flips a branch, by our own search: each input of its condition is given, in turn, the values that other writes to its location wrote
 * in the recorded run. If such a value flips the condition, the staged decider looks for an order in which the read sees that write and every other
 * read keeps its value, or else for any order in which it does. Two inputs are tried together if one alone is not enough. Values that nobody wrote in
 * the recorded run are left to Z3.
 */
import { freeReads } from '../../causal/free-reads.ts'
import { Evaluation, RECORDED } from '../../symbolic/evaluate.ts'
import { same, UNKNOWN, type Known } from '../../symbolic/known.ts'
import { outcomeIn } from '../../symbolic/symbolic-trace.ts'
import { valueText } from '../../trace/values.ts'
import { type EventId, NONE } from '../../trace/trace.ts'
import type { Clause, Demands } from '../../witness/candidate.ts'
import { simplify } from '../../witness/simplify.ts'
import type { Flip, PathChecker } from '../../witness/paths.ts'
import { Decider } from '../decide/decider.ts'
import type { Sources } from './thread-sources.ts'

/** A read, and the write it is to see (NONE: what was there at the start). */
interface Wish {
  readonly read: EventId
  readonly write: EventId
  readonly value: Known
}

/** Questions to the decider for one branch, inputs looked at, writes of one value tried. */
const MOST_QUESTIONS = 16
const MOST_INPUTS = 24
const MOST_ALIKE = 3
/** Steps of search per question, milliseconds for one branch, pairs of inputs evaluated. */
const BUDGET = 500
const MOST_MS = 250
const MOST_PAIRS = 300
const MOST_DECIDERS = 8

export interface Found {
  readonly order: Int32Array
  readonly flip: Flip
}

export class OwnSearch {
  private readonly evaluation: Evaluation
  private readonly free: Uint8Array
  /** By the reads that are free in them. */
  private readonly deciders = new Map<string, Decider>()
  private anyhow_: Decider | undefined
  /** Questions asked so far. */
  asked = 0

  constructor(
    private readonly sources: Sources,
    private readonly checker: PathChecker,
  ) {
    this.evaluation = new Evaluation(sources.symbolic.expressions)
    this.free = freeReads(sources.symbolic)
  }

  find(branch: EventId): Found | undefined {
    const { sources } = this
    const { of } = sources.symbolic
    const inputs = Array.from(sources.inputs.of(of[branch]!))
      .filter((read) => sources.varies(read))
      .slice(-MOST_INPUTS)
    const until = performance.now() + MOST_MS
    let questions = 0
    let pairs = 0
    const wishes = inputs.map((read) => this.wishesFor(read))
    const ask = (...wanted: Wish[]): Found | undefined => {
      if (questions >= MOST_QUESTIONS || performance.now() > until || !this.turns(branch, wanted)) return undefined
      questions++
      return this.decide(branch, wanted)
    }
    for (const list of wishes) {
      for (const wish of list) {
        const found = ask(wish)
        if (found) return found
      }
    }
    for (let i = 0; i < wishes.length; i++) {
      for (let j = i + 1; j < wishes.length && questions < MOST_QUESTIONS; j++) {
        for (const a of wishes[i]!) {
          for (const b of wishes[j]!) {
            if (++pairs > MOST_PAIRS) return undefined
            if (this.turns(branch, [a]) || this.turns(branch, [b])) continue
            const found = ask(a, b)
            if (found) return found
          }
        }
      }
    }
    return undefined
  }

  /** What else the read can see, a few writes of each value. Those next to it in the recorded run come first. */
  private wishesFor(read: EventId): Wish[] {
    const { sources } = this
    const { causality, symbolic, recorded } = sources
    const x = symbolic.trace.target[read]!
    const { writes, initial } = sources.of(read)
    const near = writes.toSorted(
      (a, b) => Math.abs(causality.rank[a]! - causality.rank[read]!) - Math.abs(causality.rank[b]! - causality.rank[read]!),
    )
    const alike = new Map<string, number>()
    const wishes: Wish[] = []
    for (const write of initial ? [...near, NONE] : near) {
      const value = sources.valueOf(x, write)
      if (value === UNKNOWN || same(value, recorded.of(read))) continue
      const text = valueText(value)
      const count = alike.get(text) ?? 0
      if (count >= MOST_ALIKE) continue
      alike.set(text, count + 1)
      wishes.push({ read, write, value })
    }
    return wishes
  }

  /** Does the branch come out otherwise with these values? */
  private turns(branch: EventId, wishes: readonly Wish[]): boolean {
    const { symbolic, recorded } = this.sources
    this.evaluation.begin((key) => {
      const wish = wishes.find((w) => w.read === key)
      return wish ? wish.value : RECORDED
    })
    const outcome = outcomeIn(this.evaluation, symbolic.trace.targetName(branch), symbolic.of[branch]!)
    return outcome !== UNKNOWN && !same(outcome, recorded.of(branch))
  }

  private decide(branch: EventId, wishes: readonly Wish[]): Found | undefined {
    const { causality, symbolic } = this.sources
    const { trace } = symbolic
    this.asked++
    const before: (readonly [EventId, EventId])[] = []
    const either: Clause[] = []
    for (const { read, write } of wishes) {
      if (write !== NONE) before.push([write, read])
      for (const other of causality.writes.of(trace.target[read]!)) {
        if (other === write) continue
        either.push(write === NONE ? [[read, other]] : [[other, write], [read, other]]) // prettier-ignore
      }
    }
    const include = wishes.map((wish) => wish.read)
    const demands = { next: [branch], before, include, without: [], either }
    return this.tried(this.deciderFor(include), demands, branch) ?? this.tried(this.anyhow, demands, branch)
  }

  private tried(decider: Decider, demands: Demands, branch: EventId): Found | undefined {
    const { trace } = this.sources.symbolic
    const answer = decider.decide(demands)
    if (answer.verdict !== 'feasible') return undefined
    for (const order of [simplify(trace, answer.witness.order, demands.before), answer.witness.order]) {
      const flip = this.checker.check(order, branch)
      if (!('rule' in flip)) return { order, flip }
    }
    return undefined
  }

  /** Every read may see anything: decisions on the way may stay as they were with other values. The checker says whether they do. */
  private get anyhow(): Decider {
    return (this.anyhow_ ??= new Decider(this.sources.symbolic.trace, 'sync', BUDGET, undefined, this.sources.causality))
  }

  /** One in which these reads may see anything. */
  private deciderFor(reads: readonly EventId[]): Decider {
    const key = reads.join(' ')
    let decider = this.deciders.get(key)
    if (!decider) {
      const free = this.free.slice()
      for (const read of reads) free[read] = 1
      if (this.deciders.size >= MOST_DECIDERS) this.deciders.clear()
      this.deciders.set(key, (decider = new Decider(this.sources.symbolic.trace, 'maximal', BUDGET, free, this.sources.causality)))
    }
    return decider
  }
}
