import { expect, it } from 'vitest'
import type { BaseOrder } from '../../src/solve/base-order.ts'
import { OrderSearch } from '../../src/solve/order-search.ts'

/** Nodes without any order. */
const alone = (count: number): BaseOrder => ({
  chainCount: count,
  chainOf: (node) => node,
  positionOf: () => 0,
  joinPast(node, clock) {
    clock[node] = 1
  },
})

it('a clause that held because a switch was off is looked at again once the switch is on', () => {
  const search = new OrderSearch(alone(4))
  const [first, second] = [search.choice([]), search.choice([])]
  const either = [search.order(0, 1), search.order(2, 3)]
  search.clause([first ^ 1, ...either])
  search.clause([first, second])
  expect(search.solve(100)).toBe('sat')
  expect(search.isTrue(first)).toBe(true)
  expect(either.some((literal) => search.isTrue(literal))).toBe(true)
})
