/** Candidates that are counted without being made are as many as those that are made, and the same is ruled out. */
import { expect, test } from 'vitest'
import { Decider } from '../../src/predict/decide/decider.ts'
import { Share, NONE } from '../../src/predict/lanes.ts'
import { Accesses } from '../../src/predict/propose/accesses.ts'
import { proposeAll } from '../../src/predict/propose/all.ts'
import { noneRuledOut } from '../../src/predict/propose/group.ts'
import { traceOf } from '../../bench/engine-shapes.ts'
import { randomTrace } from '../oracle/random-trace.ts'

test.each(['data-race', 'atomicity', 'order-violation', 'deadlock'] as const)('%s', (kind) => {
  let counted = 0
  for (let seed = 0; seed < (kind === 'deadlock' ? 4 : 60); seed++) {
    const trace =
      kind === 'deadlock'
        ? traceOf('any-order', seed, 5000)
        : randomTrace(seed, { events: 120, tasks: [2, 5], locks: 3, locations: 3, sites: 6, waits: seed % 4 === 0 })
    const decider = new Decider(trace, 'data')
    const accesses = new Accesses(decider.causality)
    for (const group of proposeAll(decider, accesses, { kinds: [kind], declarations: [], onCut: () => undefined })) {
      const open = group.open?.(noneRuledOut())
      if (!open) continue
      const ruledOut = noneRuledOut()
      const made = [...group.candidates(ruledOut)].length
      expect(open).toEqual({ open: made, ruledOut })
      counted += made
    }
  }
  expect(counted).toBeGreaterThan(200)
})

test('a thread that comes to a lane whose blocks are taken gets none', () => {
  const share = Share.of(2)
  expect([share.take(0), share.take(0), share.take(1)]).toEqual([0, 1, 0])
  share.end(0, 3)
  expect([share.take(0), share.take(0), share.take(0)]).toEqual([2, NONE, NONE])
  expect(share.take(1)).toBe(1)
  share.end(1, 0)
  expect(share.take(1)).toBe(NONE)
})
