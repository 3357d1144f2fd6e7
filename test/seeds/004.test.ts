/** Wang & Hoang, Figure 7: a signal and a flag order the accesses of x, not those of y. Figures 2 to 4 are in test/solve/polygraph.test.ts. */
import { describe, expect, it } from 'vitest'
import type { DeciderName } from '../../src/predict/decide/deciders.ts'
import { figure, predicted } from './figures.ts'

const TRACE_1 = figure(`
  T1                T2
  w(x) @l1
  w(y) @l2
                    acq(l) @l7
                    w(y) @l8
                    r(z) @l9
                    rel(l) @l10a
  acq(l) @l3
  notify(c) @l4
  w(z) @l5
  rel(l) @l6
                    wake(c) @l10b
                    acq(l) @l10c
                    r(x) @l11
                    rel(l) @l12
`)

const TRACE_2 = figure(`
  T1                T2
  w(x) @l1
  w(y) @l2
  acq(l) @l3
  call(nop) @l4
  w(z) @l5
  rel(l) @l6
                    acq(l) @l7
                    w(y) @l8
                    r(z) @l9
                    r(x) @l11
                    rel(l) @l12
`)

const DECIDERS: DeciderName[] = ['staged', 'polygraph', 'z3']

for (const decider of DECIDERS) {
  describe(decider, () => {
    it('trace 1, with the wait: the race on y and no other', async () => {
      expect(await predicted(TRACE_1, { kinds: ['data-race'], model: 'data', decider })).toEqual(['write-write l2 l8'])
    })

    it('trace 2, without: the race on y, which CP misses, and not the one on x, which UCG reports', async () => {
      expect(await predicted(TRACE_2, { kinds: ['data-race'], model: 'data', decider })).toEqual(['write-write l2 l8'])
    })

    it("trace 2 without the rule for reads: UCG's bogus race on x", async () => {
      expect(await predicted(TRACE_2, { kinds: ['data-race'], model: 'sync', decider })).toEqual(['write-read l1 l11', 'write-write l2 l8'])
    })

    it('trace 1 without the rule for reads: the signal is enough', async () => {
      expect(await predicted(TRACE_1, { kinds: ['data-race'], model: 'sync', decider })).toEqual(['write-write l2 l8'])
    })
  })
}
