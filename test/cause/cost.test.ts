/** What a failing schedule needs, in milliseconds. */
import { expect, test } from 'vitest'
import { costOf } from '../../src/cause/cost.ts'
import type { Rerun } from '../../src/confirm/run.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import { LoopTrace } from '../loop/loop-trace.ts'

test('where one of several delays cannot be measured, the others still count: a long one is not forgotten', () => {
  const recorded = new LoopTrace().post('read', 'fs').post('other', 'fs').turn('other', 4).turn('read', 5).finish()
  const failing = new LoopTrace().post('read', 'fs').turn('read', 12_005).finish()
  const hold = (label: string): unknown => ({
    do: 'hold',
    what: { label, nth: 1 },
    at: 'finish',
    until: { label: 'x', nth: 1 },
    note: label,
  })
  const prediction = { schedule: { kind: 'delays', delays: [hold('other'), hold('read')] } } as unknown as Saved
  const cost = costOf(prediction, { run: { loop: recorded } } as Rerun, { loop: failing } as Parameters<typeof costOf>[2])
  expect(cost).toEqual({ needs: 'the answer of other a little late, and the answer of read 12 s late', ms: 12_000 })
})
