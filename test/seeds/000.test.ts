/** BIPED, the example of section 2 (its numbers are the rows): through `predict`, by the interval method alone and by deciding. */
import { describe, expect, it } from 'vitest'
import { predict } from '../../src/predict/predict.ts'
import type { EventId } from '../../src/trace/trace.ts'
import { Checker } from '../../src/witness/check.ts'
import { figure } from './figures.ts'
import { totalsOf } from '../adds-up.ts'

const TRACE = figure(`
  t1           t2           t3
  begin
  fork(t2)
  fork(t3)
               begin
                            begin
               acq(l)
               w(x)
               rel(l)
               notify(m1)
  wake(m1)
  notify(m2)
                            wake(m2)
                            acq(l)
                            r(x)
                            rel(l)
               acq(k)
               notify(m3)
               w(z)
               rel(k)
               w(y)
               end
                            wake(m3)
                            acq(k)
                            r(z)
                            rel(k)
                            r(y)
                            end
  acq(l)
  w(x)
  rel(l)
  join(t2)
  join(t3)
  w(z)
`)

const numbers = (events: Iterable<EventId>): number[] => Array.from(events, (e) => TRACE.stamp[e]!)
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe.each([
  { decider: 'interval', model: undefined },
  { decider: 'staged', model: undefined },
  { decider: 'staged', model: 'sync' },
  { decider: 'polygraph', model: 'data' },
  { decider: 'z3', model: 'data' },
] as const)('decider $decider, model $model', ({ decider, model }) => {
  for (const ungrouped of [true, false]) {
    it(`finds the overdue use of y and the premature use of x, and nothing else${ungrouped ? ', ungrouped' : ''}`, async () => {
      const found = await predict(TRACE, { kinds: ['order-violation'], decider, ungrouped, ...(model ? { model } : {}) })
      const said = found.predictions.map(({ candidate }) => [candidate.pattern, ...numbers(candidate.events)])
      expect(said.sort()).toEqual([
        ['overdue', 26, 20],
        ['premature', 29, 14],
      ])
      // The interval method proves nothing impossible: what it does not show stays open.
      if (decider !== 'interval') expect(totalsOf(found.coverage).unknown).toBe(0)
      const checker = new Checker(TRACE, found.model)
      for (const { candidate, witness } of found.predictions) expect(checker.check(candidate, witness.order)).toBeUndefined()
    })
  }

  it("has the paper's schedules", async () => {
    const found = await predict(TRACE, { kinds: ['order-violation'], decider, ungrouped: true, ...(model ? { model } : {}) })
    const interval = (pattern: string) => found.predictions.find((p) => p.candidate.pattern === pattern)!.candidate.interval!()!
    expect(numbers(interval('overdue').permuted!)).toEqual([...range(22, 26), 20, 21])
    expect(numbers(interval('premature').permuted!)).toEqual([28, 29, 30, ...range(13, 27)])
    expect(numbers(interval('overdue').order!)).toEqual([...range(1, 19), ...range(22, 26), 20, 21])
    expect(numbers(interval('premature').order!)).toEqual([...range(1, 12), 28, 29, 30, ...range(13, 27)])
  })
})
