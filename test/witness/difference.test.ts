/**
 * A witness as a difference gives back the order it was made from, and the checker of differences says what the plain checker says of that order: for good
 * witnesses, for those with tasks cut short or other things moved, and for orders at random.
 */
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { Decider } from '../../src/predict/decide/decider.ts'
import type { EventId, Trace } from '../../src/trace/trace.ts'
import type { Demands } from '../../src/witness/candidate.ts'
import { DifferenceChecker } from '../../src/witness/check-difference.ts'
import { countsAt, Difference, inRuns } from '../../src/witness/difference.ts'
import { simplify } from '../../src/witness/simplify.ts'
import { randomReordering } from '../oracle/enumerate.ts'
import { candidateDemands, demanding, raceDemands } from '../oracle/random-demands.ts'
import { randomTrace } from '../oracle/random-trace.ts'
import { sized } from '../layer.ts'
import { showTrace } from '../oracle/shrink.ts'
import { modelsOf, SORTS, traceOf } from '../oracle/sorts.ts'

const TRACES = sized(15, 200)
const counts = { judged: 0, good: 0, byIndex: 0, moved: 0 }

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
      check(answer.witness.order)
      check(simplify(trace, answer.witness.order))
    }

    function check(order: Int32Array): void {
      orders++
      const difference = Difference.of(trace, order)
      expect([...difference.order]).toEqual([...order])
      expect(difference.sorted([...order].sort((a, b) => a - b))).toEqual([...order])
    }
  }
  expect(orders).toBeGreaterThan(3000)
})

for (const sort of SORTS.flat()) {
  test(`the checker of differences says what the plain checker says: ${sort.name}`, () => {
    for (let seed = 0; seed < TRACES; seed++) {
      const trace = traceOf(sort, seed)
      const random = new Random(seed)
      for (const model of modelsOf(trace)) {
        const checker = new DifferenceChecker(trace, model)
        const decider = new Decider(trace, model)
        for (let i = 0; i < 3; i++) {
          const order = randomReordering(trace, model, random, 1 + random.below(trace.eventCount))
          judge(demanding({}), Difference.of(trace, Int32Array.from(order)))
          judge(nextOf(trace, order, random), Difference.of(trace, Int32Array.from(order)))
        }
        for (let i = 0; i < 10; i++) judge(demanding({}), shortened(trace, random))
        for (let i = 0; i < 10; i++) judge(demanding({}), shuffledEnd(trace, random))
        for (const demands of random.pick([raceDemands(trace), candidateDemands(trace, random, 2)]).slice(0, 4)) {
          const answer = decider.decide(demands)
          if (answer.verdict !== 'feasible') continue
          expect(judge(demands, answer.witness)).toBe(true)
          judge({ ...demands, next: [] }, answer.witness)
          judge(demanding({ before: demands.before.map(([a, b]) => [b, a]) }), answer.witness)
          for (let k = 0; k < 4; k++) judge(demands, swapped(trace, answer.witness, random))
        }

        function judge(demands: Demands, witness: Difference): boolean {
          const { asked } = checker
          const plain = checker.plain.check(demands, witness.order)
          const refusal = checker.check(demands, witness)
          if (checker.asked === asked) expect(plain).toBeUndefined()
          const about = `${model} ${JSON.stringify(demands)} ${witness.order.join(' ')}\n${showTrace(trace)}`
          expect(refusal?.sentence, about).toBe(plain?.sentence)
          expect(checker.accepts(demands, witness), about).toBe(plain === undefined)
          counts.judged++
          if (!plain) counts.good++
          if (checker.asked > asked) return plain === undefined
          counts.byIndex++
          if (witness.moved.length > 0) counts.moved++
          return plain === undefined
        }
      }
    }
  })
}

/** What comes next in some of the tasks, demanded. */
function nextOf(trace: Trace, order: readonly EventId[], random: Random): Demands {
  const next: EventId[] = []
  for (let t = 0; t < trace.taskCount; t++) {
    const e = trace.taskStart[t]! + order.filter((o) => trace.taskOf(o) === t).length
    if (e < trace.taskStart[t + 1]! && random.chance(0.5)) next.push(e)
  }
  return demanding({ next })
}

/** The recorded order with tasks cut short, mostly by little. */
function shortened(trace: Trace, random: Random): Difference {
  const runs = new Int32Array(trace.taskCount)
  for (let t = 0; t < runs.length; t++) {
    const length = trace.taskStart[t + 1]! - trace.taskStart[t]!
    runs[t] = Math.max(0, length - (random.chance(0.5) ? 0 : random.below(random.chance(0.5) ? 4 : length + 1)))
  }
  return Difference.restricted(trace, runs)
}

/** The recorded order up to a place, then the tasks in any order, some of them cut short. */
function shuffledEnd(trace: Trace, random: Random): Difference {
  const kept = Math.max(0, trace.eventCount - random.below(12))
  const next = countsAt(trace, kept).map((n, t) => n + trace.taskStart[t]!)
  const rest: EventId[] = []
  for (let i = random.below(trace.eventCount - kept + 1); i > 0; i--) {
    const t = random.below(trace.taskCount)
    if (next[t]! < trace.taskStart[t + 1]!) rest.push(next[t]!++)
  }
  return Difference.after(trace, kept, Int32Array.from(rest))
}

/** Two neighbours of different tasks change places. */
function swapped(trace: Trace, witness: Difference, random: Random): Difference {
  const { order } = witness
  const i = 1 + random.below(Math.max(1, order.length - 1))
  if (i >= order.length || trace.taskOf(order[i]!) === trace.taskOf(order[i - 1]!)) return witness
  const [a, b] = [order[i - 1]!, order[i]!]
  order[i - 1] = b
  order[i] = a
  expect(inRuns(trace, order).length).toBeGreaterThan(0)
  return Difference.of(trace, order)
}

afterAll(() => {
  console.log(JSON.stringify(counts))
  expect(counts.judged).toBeGreaterThan(10_000)
  // Most good ones are seen to be good without the plain checker, also among those that move something.
  expect(counts.byIndex).toBeGreaterThan(0.6 * counts.good)
  expect(counts.moved).toBeGreaterThan(1000)
})
