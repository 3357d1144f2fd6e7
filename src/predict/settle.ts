/**
 * One candidate, from the question to an order that shows it: first the order that the predictor offers, then the decider's, then the question again
 * without what blocks it, then the weaker question. Questions are yielded and answers are sent back, so that a decider may answer at once (`settled`)
 * or later (`settledLater`).
 */
import { NONE, type EventId } from '../trace/trace.ts'
import type { Demands } from '../witness/candidate.ts'
import type { DifferenceChecker } from '../witness/check-difference.ts'
import type { Difference } from '../witness/difference.ts'
import type { Answer, Stage } from './decide/answer.ts'
import type { Proposal } from './propose/group.ts'

/** Events that are taken out of a question one after the other, because demands cannot say it (`Questioned.inTheWay`). */
const MOST_IN_THE_WAY = 8
const NOT_SHOWN = 'orders that do not show it'
const STILL_IN_THE_WAY = 'events in the way'

export interface Questioned extends Proposal {
  /** Must the order be as asked in a way that demands cannot say? The event that is in the way, or NONE. */
  readonly inTheWay?: (order: Int32Array) => EventId
}

export type Settling<C, S> =
  /** `candidate` may be the weaker one. */
  | { readonly verdict: 'feasible'; readonly stage: Stage; readonly candidate: C; readonly shown: S }
  | { readonly verdict: 'infeasible'; readonly stage: string }
  | { readonly verdict: 'unknown'; readonly budget: string }

/** What is made of an order that was found; undefined if it does not show the candidate, `ruledOut` if no order can. */
export type Show<C, S> = (
  candidate: C,
  demands: Demands,
  witness: Difference,
) => { readonly shown: S } | { readonly ruledOut: string } | undefined

export function* settle<C extends Questioned, S>(
  candidate: C,
  checker: DifferenceChecker,
  show: Show<C, S>,
): Generator<Demands, Settling<C, S>, Answer> {
  const first = yield* ask(candidate, checker, show)
  if (first.verdict === 'feasible' || !candidate.otherwise) return first
  return yield* ask({ ...candidate, ...candidate.otherwise, otherwise: undefined }, checker, show)
}

function* ask<C extends Questioned, S>(
  candidate: C,
  checker: DifferenceChecker,
  show: Show<C, S>,
): Generator<Demands, Settling<C, S>, Answer> {
  let demands: Demands = candidate
  for (let i = 0; i < MOST_IN_THE_WAY; i++) {
    const offered = i === 0 ? candidate.offer?.() : undefined
    const sound = offered && checker.accepts(demands, offered)
    const answer: Answer = sound ? { verdict: 'feasible', stage: 'interval', witness: offered } : yield demands
    if (answer.verdict === 'infeasible') return { verdict: 'infeasible', stage: answer.stage }
    if (answer.verdict === 'unknown') return { verdict: 'unknown', budget: answer.budget }
    const other = candidate.inTheWay?.(answer.witness.order) ?? NONE
    if (other !== NONE) {
      demands = { ...demands, without: [...demands.without, other] }
      continue
    }
    const shown = show(candidate, demands, answer.witness)
    if (!shown) return { verdict: 'unknown', budget: NOT_SHOWN }
    if ('ruledOut' in shown) return { verdict: 'infeasible', stage: shown.ruledOut }
    return { verdict: 'feasible', stage: answer.stage, candidate, shown: shown.shown }
  }
  return { verdict: 'unknown', budget: STILL_IN_THE_WAY }
}

/** By a decider that answers at once. */
export function settled<R>(questions: Generator<Demands, R, Answer>, decide: (demands: Demands) => Answer): R {
  let next = questions.next()
  while (!next.done) next = questions.next(decide(next.value))
  return next.value
}

/** By one that may take its time. */
export async function settledLater<R>(
  questions: Generator<Demands, R, Answer>,
  decide: (demands: Demands) => Answer | Promise<Answer>,
): Promise<R> {
  let next = questions.next()
  while (!next.done) {
    const answer = decide(next.value)
    next = questions.next(answer instanceof Promise ? await answer : answer)
  }
  return next.value
}
