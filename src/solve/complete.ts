/**
 * The complete decision of a polygraph: choices are clauses of the conflict-driven search (order-search.ts), so an answer is either an order or a
 * refutation, unless the budget runs out.
 */
import type { BaseOrder } from './base-order.ts'
import { OrderSearch } from './order-search.ts'
import { chainsOf } from './polygraph/chains.ts'
import type { Polygraph } from './polygraph/polygraph.ts'

export type CompleteAnswer =
  | { readonly feasible: true; readonly order: Int32Array }
  | { readonly feasible: false }
  | { readonly unknown: true; readonly conflicts: number }

export function solvePolygraph(polygraph: Polygraph, maxConflicts = 1_000_000): CompleteAnswer {
  const chains = chainsOf(polygraph)
  if ('fault' in chains) throw new Error(chains.fault)
  const base: BaseOrder = {
    chainCount: chains.count,
    chainOf: (node) => chains.chain[node]!,
    positionOf: (node) => chains.place[node]!,
    joinPast: (node, clock) => {
      const c = chains.chain[node]!
      clock[c] = Math.max(clock[c]!, chains.place[node]! + 1)
    },
  }
  const search = new OrderSearch(base)
  for (const [a, b] of polygraph.hard) if (!search.hard(a, b)) return { feasible: false }
  for (const [a, b, c, d] of polygraph.poly) {
    const either = []
    if (a !== b) either.push(search.order(a, b))
    if (c !== d) either.push(search.order(c, d))
    if (!search.clause(either)) return { feasible: false }
  }
  switch (search.solve(maxConflicts)) {
    case 'unsat':
      return { feasible: false }
    case 'budget':
      return { unknown: true, conflicts: search.counts.conflicts }
    case 'sat':
      return { feasible: true, order: linearise(polygraph, search) }
  }
}

/** Any order that keeps program order and the edges chosen. */
function linearise(polygraph: Polygraph, search: OrderSearch): Int32Array {
  const after: number[][] = Array.from({ length: polygraph.n }, () => [])
  const waiting = new Int32Array(polygraph.n)
  const edge = (a: number, b: number): void => {
    after[a]!.push(b)
    waiting[b]!++
  }
  for (let a = 0; a < polygraph.n; a++) if (polygraph.next[a]! >= 0) edge(a, polygraph.next[a]!)
  for (let i = 0; i < search.closure.size; i++) edge(...search.closure.edge(i))
  const order = new Int32Array(polygraph.n)
  let filled = 0
  for (let a = 0; a < polygraph.n; a++) if (waiting[a] === 0) order[filled++] = a
  for (let i = 0; i < filled; i++) for (const b of after[order[i]!]!) if (--waiting[b]! === 0) order[filled++] = b
  return order
}
