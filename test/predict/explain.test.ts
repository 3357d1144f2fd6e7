/** `explain` against enumeration, for every two events of random small traces. */
import { expect, test } from 'vitest'
import { explain } from '../../src/predict/explain.ts'
import { accepts, explore } from '../oracle/enumerate.ts'
import { sized } from '../layer.ts'
import { showTrace } from '../oracle/shrink.ts'
import { modelsOf, SORTS, traceOf } from '../oracle/sorts.ts'

const TRACES = sized(3, 30)

for (const sort of SORTS.flat()) {
  test(`says that A must come before B exactly when it must: ${sort.name}`, () => {
    for (let seed = 0; seed < TRACES; seed++) {
      const trace = traceOf(sort, seed)
      for (const model of modelsOf(trace)) {
        const truth = explore(trace, model)
        for (let a = 0; a < trace.eventCount; a++) {
          for (let b = 0; b < trace.eventCount; b++) {
            if (a === b) continue
            const said = explain(trace, model, a, b)
            const about = `${model}: must ${a} come before ${b}?\n${showTrace(trace)}`
            expect(said.must, about).toBe(!truth.feasible({ include: [b], without: [a] }) && !truth.feasible({ before: [[b, a]] }))
            if (said.must !== false) continue
            const order = [...said.order]
            expect(accepts(trace, model, order, said.aRuns ? { before: [[b, a]] } : { include: [b], without: [a] }), about).toBe(true)
          }
        }
      }
    }
  })
}
