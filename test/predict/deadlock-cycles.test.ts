/** Which cycles of locks are examined: all of two and three tasks, and longer ones unless there are too many. */
import { expect, test } from 'vitest'
import { Causality } from '../../src/causal/causality.ts'
import { Locksets } from '../../src/causal/locksets.ts'
import { MustOrder } from '../../src/causal/must-order.ts'
import { Coverage } from '../../src/coverage.ts'
import { deadlocks } from '../../src/predict/propose/deadlock.ts'
import { cutShort } from '../../src/report/coverage-text.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { ACQUIRE, RELEASE } from '../../src/trace/ops.ts'

/** Every task takes every such pair of locks, one inside the other; each pair has a place of its own. */
function proposed(tasks: number, locks: number, pairs: (outer: number, inner: number) => boolean): { lengths: number[]; cuts: number } {
  const builder = new TraceBuilder()
  let line = 1
  for (let l = 0; l < locks; l++) builder.locks.push(`L${l}`)
  for (let s = 0; s < locks * locks; s++) builder.sites.push(`S${s}`)
  for (let t = 0; t < tasks; t++) {
    builder.tasks.push(`T${t}`)
    for (let a = 0; a < locks; a++) {
      for (let b = 0; b < locks; b++) {
        if (a === b || !pairs(a, b)) continue
        for (const [op, lock] of [
          [ACQUIRE, a],
          [ACQUIRE, b],
          [RELEASE, b],
          [RELEASE, a],
        ] as const)
          // prettier-ignore
          builder.add(t, op, lock, 0, a * locks + b, line++)
      }
    }
  }
  const causality = new Causality(builder.finish({ source: 'test', branches: false }), 'sync')
  let cuts = 0
  const lengths: number[] = []
  for (const { key } of deadlocks(causality, new MustOrder(causality), new Locksets(causality.sections), () => cuts++)) {
    const length = key.split('@').length - 1
    lengths[length] = (lengths[length] ?? 0) + 1
  }
  return { lengths, cuts }
}

/** Choices of `k` of `n` in a circle. */
const circles = (n: number, k: number): number => Array.from({ length: k }, (_, i) => n - i).reduce((a, b) => a * b, 1) / k

test('locks in any order: every cycle up to the number of tasks, once', () => {
  const { lengths, cuts } = proposed(5, 5, () => true)
  expect(lengths.slice(2)).toEqual([2, 3, 4, 5].map((k) => circles(5, k)))
  expect(cuts).toBe(0)
})

test('a ring of twelve locks and twelve tasks is found whole', () => {
  const { lengths, cuts } = proposed(12, 12, (a, b) => b === (a + 1) % 12)
  expect(lengths.filter((n) => n > 0)).toEqual([1])
  expect([lengths[12], cuts]).toEqual([1, 0])
})

test('locks in one order have no cycle, however many ways there are through them', () => {
  expect(proposed(10, 16, (a, b) => a < b)).toEqual({ lengths: [], cuts: 0 })
})

test('with more cycles than acquisitions to make them of, longer ones are left out, and that is said', () => {
  const { lengths, cuts } = proposed(7, 7, () => true)
  expect(lengths.slice(2)).toEqual([2, 3, 4, 5, 6].map((k) => circles(7, k)))
  expect(cuts).toBe(1)
  const coverage = new Coverage()
  coverage.row('deadlock').cutOff('limit', 1)
  expect(cutShort(coverage.saved())).toEqual([
    'The search for deadlocks was cut short: this trace has too many cycles of locks. The shortest ones were examined.',
  ])
})
