/** A witness kept small gives back the order it was made from. */
import { expect, test } from 'vitest'
import { Decider } from '../../src/predict/decide/decider.ts'
import { RunsWitness } from '../../src/witness/runs.ts'
import { simplify } from '../../src/witness/simplify.ts'
import { raceDemands } from '../oracle/random-demands.ts'
import { randomTrace } from '../oracle/random-trace.ts'

test('orders come back as they were, simplified or not', () => {
  let orders = 0
  for (let seed = 0; seed < 300; seed++) {
    const trace = randomTrace(seed, { events: seed % 2 === 0 ? 20 : 120, tasks: [2, 5] })
    const recorded = trace.recordedOrder()
    for (let length = 0; length <= recorded.length; length += 7) check(recorded.slice(0, length))
    const decider = new Decider(trace, 'sync')
    for (const demands of raceDemands(trace).slice(0, 20)) {
      const answer = decider.decide(demands)
      if (answer.verdict !== 'feasible') continue
      check(answer.order)
      check(simplify(trace, answer.order))
    }

    function check(order: Int32Array): void {
      orders++
      expect([...new RunsWitness(trace, order).order]).toEqual([...order])
    }
  }
  expect(orders).toBeGreaterThan(3000)
})
