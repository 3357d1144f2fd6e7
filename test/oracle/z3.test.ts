/** Enumeration against Z3: two readings of docs/model.md that share nothing but the page. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { SMT_SETUP } from '../../src/predict/decide/encode-smt.ts'
import { Z3Decider } from '../../src/predict/decide/z3-decider.ts'
import { Z3 } from '../../src/solve/z3.ts'
import type { Demands } from '../../src/witness/candidate.ts'
import type { Model } from '../../src/trace/model.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { sized } from '../layer.ts'
import { accepts, explore, replays } from './enumerate.ts'
import { clauseDemands, raceDemands, randomDemands } from './random-demands.ts'
import { randomTrace, type RandomTraceOptions } from './random-trace.ts'
import { shrink, showTrace } from './shrink.ts'

const SORTS: Record<string, { options: RandomTraceOptions; models: Model[] }> = {
  plain: { options: {}, models: ['sync', 'data', 'maximal'] },
  branches: { options: { branches: true, regions: true }, models: ['data', 'maximal'] },
  'some values': { options: { observed: 'some' }, models: ['maximal'] },
  'values hidden anywhere': { options: { observed: 'mixed' }, models: ['maximal'] },
  waits: { options: { locks: [1, 2], signals: 1, locations: 1, tasks: [3, 4], events: [8, 14] }, models: ['sync', 'maximal'] },
  'mixed nesting': { options: { mixedNesting: true, extras: true, locks: 1, locations: 1 }, models: ['sync', 'data'] },
  updates: {
    options: { atomics: 8, locations: [1, 2], locks: [0, 1], waits: false, events: [8, 14] },
    models: ['sync', 'data', 'maximal'],
  },
  'updates, order of tasks only': { options: { order: 'task', atomics: 8, locations: [1, 2], values: 3 }, models: ['sync', 'maximal'] },
  'waits that let go of a shared lock': {
    options: { sharedWaits: true, atomics: 5, locks: 1, signals: 1, locations: 1, tasks: [2, 4], events: [8, 14] },
    models: ['sync', 'maximal'],
  },
  'order of tasks only': { options: { order: 'task', values: 3 }, models: ['sync', 'maximal'] },
  'order of tasks only, with branches': { options: { order: 'task', branches: true, observed: 'some' }, models: ['maximal'] },
}
/** For each sort: Z3 as wasm is slow. */
const TRACES = sized(2, 100)

let z3: Z3
beforeAll(async () => {
  z3 = await Z3.open({ setup: SMT_SETUP })
})
afterAll(() => z3.close())

/** Says what is wrong, or undefined. */
async function disagreement(trace: Trace, model: Model, list: readonly Demands[]): Promise<string | undefined> {
  const enumeration = explore(trace, model)
  const decider = new Z3Decider(z3, trace, model)
  const decisions = await Promise.all(list.map((demands) => decider.decide(demands)))
  for (const [i, decision] of decisions.entries()) {
    const demands = list[i]!
    const feasible = enumeration.feasible(demands)
    const about = `${model} ${JSON.stringify(demands)}`
    if (decision.feasible !== feasible) return `${about}: enumeration says ${feasible}, Z3 ${JSON.stringify(decision)}`
    if (!decision.feasible) continue
    const order = [...decision.order]
    const replay = replays(trace, model, order)
    if (!replay.ok) return `${about}: Z3's order ${order.join(' ')} breaks: ${replay.why}`
    if (!accepts(trace, model, order, demands)) return `${about}: Z3's order ${order.join(' ')} does not meet the demands`
  }
  return undefined
}

for (const [sort, { options, models }] of Object.entries(SORTS)) {
  it(`agrees with the enumeration: ${sort}`, async () => {
    for (let seed = 0; seed < TRACES; seed++) {
      const trace = randomTrace(seed, options)
      for (const model of models) {
        const list = [...raceDemands(trace), ...randomDemands(trace, new Random(seed), 3), ...clauseDemands(trace, new Random(seed), 1)]
        const wrong = await disagreement(trace, model, list)
        if (wrong === undefined) continue
        const demandsOf = (t: Trace): Demands[] => [
          ...raceDemands(t),
          ...randomDemands(t, new Random(seed), 3),
          ...clauseDemands(t, new Random(seed), 1),
        ]
        const small = await shrink(trace, async (t) => (await disagreement(t, model, demandsOf(t))) !== undefined)
        const why = await disagreement(small, model, demandsOf(small))
        expect.fail(`seed ${seed} of "${sort}": ${wrong}\nshrunk: ${why}\n${showTrace(small)}`)
      }
    }
  })
}
