/** Deciders against enumeration: asks both the same questions, and makes a litmus test of the first on which they differ. */
import { Random } from '../../src/base/random.ts'
import type { Answer } from '../../src/predict/decide/answer.ts'
import { Decider } from '../../src/predict/decide/decider.ts'
import { PolygraphDecider } from '../../src/predict/decide/polygraph-decider.ts'
import { NONE, type EventId, type Trace } from '../../src/trace/trace.ts'
import type { Demands } from '../../src/witness/candidate.ts'
import type { Model } from '../../src/trace/model.ts'
import { Checker } from '../../src/witness/check.ts'
import { explore } from './enumerate.ts'
import { candidateDemands, clauseDemands, raceDemands, randomDemands } from './random-demands.ts'
import { showTrace, shrink } from './shrink.ts'
import { modelsOf, traceOf, type Sort } from './sorts.ts'

/** What was asked and who answered it. */
export class Tally {
  traces = 0
  questions = 0
  witnesses = 0
  readonly stages = new Map<string, number>()

  count(decider: string, answer: Answer): void {
    const key = decider === 'staged' ? `${answer.stage} ${answer.verdict}` : `(${decider}) ${answer.verdict}`
    this.stages.set(key, (this.stages.get(key) ?? 0) + 1)
    if (decider === 'staged') this.questions++
    if (answer.verdict === 'feasible') this.witnesses++
  }

  toString(): string {
    const stages = [...this.stages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, n]) => `${key} ${n}`)
    return `${this.traces} traces, ${this.questions} questions, ${this.witnesses} witnesses: ${stages.join(', ')}`
  }
}

export interface Difference {
  readonly demands: Demands
  readonly what: string
}

/** The first question that some decider answers otherwise than enumeration, or with an order that the checker refuses. */
export function difference(trace: Trace, model: Model, list: readonly Demands[], tally = new Tally()): Difference | undefined {
  const truth = explore(trace, model)
  const staged = new Decider(trace, model)
  const near = new Decider(trace, model, undefined, undefined, undefined, true)
  const polygraph = model === 'maximal' || trace.facts.order === 'task' ? undefined : new PolygraphDecider(staged)
  const checker = new Checker(trace, model)
  for (const demands of list) {
    const feasible = truth.feasible(demands)
    for (const [name, decider] of [
      ['staged', staged],
      ['staged, as recorded as can be', near],
      ['polygraph', polygraph],
    ] as const) {
      if (!decider) continue
      const answer = decider.decide(demands)
      tally.count(name, answer)
      if (answer.verdict === 'unknown' && name === 'polygraph') continue
      if (answer.verdict !== (feasible ? 'feasible' : 'infeasible')) {
        return { demands, what: `enumeration says ${feasible}, the ${name} decider ${answer.verdict} (${answer.stage})` }
      }
      if (answer.verdict !== 'feasible') continue
      const refusal = checker.check(demands, answer.witness.order)
      if (refusal)
        return { demands, what: `the checker refuses the ${name} decider's order ${answer.witness.order.join(' ')}: ${refusal.sentence}` }
    }
  }
  return undefined
}

export function questionsAbout(trace: Trace, seed: number): Demands[] {
  const random = new Random(seed)
  return [
    ...raceDemands(trace),
    ...candidateDemands(trace, random, 4),
    ...randomDemands(trace, random, 2),
    ...clauseDemands(trace, random, 1),
  ]
}

/** Throws with a litmus test when a decider is wrong about a trace of the sort. */
export async function compareSeed(sort: Sort, seed: number, tally: Tally): Promise<void> {
  const trace = traceOf(sort, seed)
  tally.traces++
  const list = questionsAbout(trace, seed)
  for (const model of modelsOf(trace)) {
    const found = difference(trace, model, list, tally)
    if (found) throw new Error(await litmusTest(trace, model, found, `seed ${seed} of "${sort.name}"`))
  }
}

async function litmusTest(trace: Trace, model: Model, found: Difference, from: string): Promise<string> {
  const again = (smaller: Trace, idOf: (e: EventId) => EventId): Difference | undefined => {
    const demands = renumbered(found.demands, idOf)
    return demands && difference(smaller, model, [demands])
  }
  let last: Difference = found
  const small = await shrink(trace, (smaller, idOf) => {
    const still = again(smaller, idOf)
    if (still) last = still
    return still !== undefined
  })
  return `${from}, model ${model}: ${last.what}\ndemands ${JSON.stringify(last.demands)}\n${showTrace(small)}`
}

function renumbered(demands: Demands, idOf: (e: EventId) => EventId): Demands | undefined {
  const named = demands.either.flat(2).filter((e) => e !== NONE)
  const events = [...demands.next, ...demands.include, ...demands.without, ...demands.before.flat(), ...named]
  if (events.some((e) => idOf(e) === NONE)) return undefined
  return {
    next: demands.next.map(idOf),
    include: demands.include.map(idOf),
    without: demands.without.map(idOf),
    before: demands.before.map(([a, b]) => [idOf(a), idOf(b)] as const),
    either: demands.either.map((clause) => clause.map(([a, b]) => [a === NONE ? NONE : idOf(a), idOf(b)] as const)),
  }
}
