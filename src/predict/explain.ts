/** Must A come before B? If so, why; if not, an order in which it does not. */
import { type EventId, type Trace, NONE } from '../trace/trace.ts'
import type { Model } from '../trace/model.ts'
import { Checker } from '../witness/check.ts'
import { simplify } from '../witness/simplify.ts'
import { mustPath, nameOf, type Step } from '../causal/explain.ts'
import type { Causality } from '../causal/causality.ts'
import type { Rule } from './decide/clauses.ts'
import { Decider } from './decide/decider.ts'
import { noDemands } from './propose/group.ts'

export type Explanation =
  /** A comes first in every feasible reordering: a chain of direct reasons, or rules that leave no other way. */
  | { readonly must: true; readonly path: readonly Step[]; readonly rules: readonly string[] }
  /** An order that runs B and in which A comes later, or not at all. */
  | { readonly must: false; readonly order: Int32Array; readonly aRuns: boolean }
  | { readonly must: undefined; readonly budget: string }

export function explain(trace: Trace, model: Model, a: EventId, b: EventId, budget?: number): Explanation {
  const decider = new Decider(trace, model, budget)
  const path = mustPath(decider.causality, decider.must, a, b)
  if (path) return { must: true, path, rules: [] }
  const checker = new Checker(trace, model)
  const rules = new Set<string>()
  let unknown: string | undefined
  for (const demands of [
    { ...noDemands, include: [b], without: [a] },
    { ...noDemands, before: [[b, a]] as const },
  ]) {
    const answer = decider.decide(demands)
    if (answer.verdict === 'feasible') {
      const order = simplify(trace, answer.witness.order, demands.before)
      const refusal = checker.check(demands, order)
      if (refusal) throw new Error(`the checker refused an explanation: ${refusal.sentence}`)
      return { must: false, order, aRuns: demands.before.length > 0 }
    }
    if (answer.verdict === 'unknown') unknown = answer.budget
    else for (const rule of answer.rules ?? []) rules.add(sentenceOf(decider.causality, rule))
  }
  return unknown === undefined ? { must: true, path: [], rules: [...rules] } : { must: undefined, budget: unknown }
}

/** A rule of docs/model.md in the terms of one trace. */
function sentenceOf(causality: Causality, rule: Rule): string {
  const { trace, sections } = causality
  switch (rule.rule) {
    case 'overlap': {
      // The same two are one rule, whichever comes first.
      const [one, two] = rule.sections
        .toSorted((a, b) => trace.stamp[sections.acquire[a]!]! - trace.stamp[sections.acquire[b]!]!)
        .map((s) => {
          const release = sections.release[s]!
          const until = release === NONE ? 'the end' : `${trace.stamp[release]}`
          return `${trace.taskName(sections.task[s]!)} [${trace.stamp[sections.acquire[s]!]} to ${until}]`
        })
      return `the sections of lock ${trace.tables.locks.at(sections.lock[rule.sections[0]]!)} of ${one} and ${two} must not overlap`
    }
    case 'sees':
      return `${nameOf(trace, rule.read)} must see ${nameOf(trace, rule.write)}, because something after it may depend on it`
    case 'between': {
      const source = rule.write === NONE ? 'the initial value' : nameOf(trace, rule.write)
      return `${nameOf(trace, rule.other)} must not come between ${source} and ${nameOf(trace, rule.read)}, which sees it`
    }
    case 'served':
      return `${nameOf(trace, rule.wake)} needs a notify of its own`
    case 'kept out':
      return `another task must hold the lock at ${nameOf(trace, rule.failed)}, because something after it may depend on it`
    case 'update':
      return `${nameOf(trace, rule.other)} must not come between the two halves of ${nameOf(trace, rule.update)}`
  }
}
