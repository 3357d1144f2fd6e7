/**
 * The clauses of a candidate (docs/model.md, "A candidate", either): of each, one pair must hold. A property that forbids an event between two others
 * brings one clause for every recorded event of that sort, and few of them matter. So an attempt is looked at first, and only the clauses it breaks are
 * told to the search, like the rules of clauses.ts.
 */
import { NONE, type EventId } from '../../trace/trace.ts'
import type { Clause, Demands } from '../../witness/candidate.ts'
import type { Difference } from '../../witness/difference.ts'
import type { Literal, OrderSearch } from '../../solve/order-search.ts'
import type { Question } from './question.ts'

export class Either {
  private readonly told = new Set<Clause>()

  constructor(
    private readonly question: Question,
    private readonly search: OrderSearch,
    private readonly cut: number,
  ) {}

  /** Tells the search the clauses that the order breaks. False when it breaks none. */
  learn(witness: Difference): boolean {
    const broken = brokenClauses(this.question.demands, witness)
    for (const clause of broken) {
      if (this.told.has(clause)) continue
      this.told.add(clause)
      this.search.clause(clause.filter(([a, b]) => a !== b || this.isLast(a)).map(([a, b]) => this.literal(a, b)))
    }
    return broken.length > 0
  }

  private literal(a: EventId, b: EventId): Literal {
    const { search, cut, question } = this
    const { causality, least } = question
    if (this.isLast(a)) return search.order(cut, b, true)
    const runsAnyway = causality.positionOf(a) < least[causality.task[a]!]!
    return runsAnyway ? search.order(a, b, causality.earlier(a, b)) : search.choice([a, cut, a, b])
  }

  private isLast(a: EventId): boolean {
    return isLast(this.question.demands, a)
  }
}

const isLast = (demands: Demands, a: EventId): boolean => a === NONE || demands.next.includes(a)

/** The clauses of which no pair holds in the order. */
export function brokenClauses(demands: Demands, witness: Difference): Clause[] {
  if (demands.either.length === 0) return []
  const place = placesOf(demands, witness)
  return demands.either.filter((clause) => !clause.some(([a, b]) => holds(demands, place, a, b)))
}

/** Pairs of events that run, in an order that makes every clause hold: who moves events about keeps these. */
export function ordersThatHold(demands: Demands, witness: Difference): (readonly [EventId, EventId])[] {
  if (demands.either.length === 0) return []
  const place = placesOf(demands, witness)
  const pairs: (readonly [EventId, EventId])[] = []
  for (const clause of demands.either) {
    const pair = clause.find(([a, b]) => holds(demands, place, a, b))
    if (pair && place.has(pair[0]) && place.has(pair[1])) pairs.push(pair)
  }
  return pairs
}

function placesOf(demands: Demands, { order }: Difference): Map<EventId, number> {
  const named = new Set(demands.either.flat(2))
  const place = new Map<EventId, number>()
  for (let i = 0; i < order.length; i++) if (named.has(order[i]!)) place.set(order[i]!, i)
  return place
}

function holds(demands: Demands, place: ReadonlyMap<EventId, number>, a: EventId, b: EventId): boolean {
  if (isLast(demands, a)) return !place.has(b)
  const i = place.get(a)
  return i !== undefined && (place.get(b) ?? Infinity) > i
}
