/** Traces too long to enumerate: the staged decider against Z3, and every order against the checker. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { Decider } from '../../src/predict/decide/decider.ts'
import { SMT_SETUP } from '../../src/predict/decide/encode-smt.ts'
import { Z3Decider } from '../../src/predict/decide/z3-decider.ts'
import { Z3 } from '../../src/solve/z3.ts'
import type { Demands } from '../../src/witness/candidate.ts'
import { Checker } from '../../src/witness/check.ts'
import { sized } from '../layer.ts'
import { candidateDemands, clauseDemands, raceDemands } from '../oracle/random-demands.ts'
import { randomTrace, type RandomTraceOptions } from '../oracle/random-trace.ts'
import { showTrace } from '../oracle/shrink.ts'
import { modelsOf } from '../oracle/sorts.ts'

const SORTS: Record<string, RandomTraceOptions> = {
  plain: { events: [100, 300], tasks: [2, 8], locks: [2, 5], signals: [0, 2], locations: [5, 20], values: 4 },
  'few locations': { events: [100, 200], tasks: [2, 5], locks: [1, 3], locations: [2, 5], values: 3, waits: false },
  branches: { events: [100, 300], tasks: [3, 6], locks: [1, 3], locations: [5, 15], branches: true, observed: 'some' },
  updates: { events: [80, 200], tasks: [2, 6], locks: [0, 2], locations: [2, 8], values: 4, atomics: 7, waits: false },
  tries: { events: [60, 150], tasks: [2, 6], locks: [1, 3], locations: [2, 8], values: 4, tries: true, waits: false },
  'order of tasks only': { events: [100, 150], tasks: [3, 6], locks: [1, 3], locations: [5, 15], values: 6, order: 'task' },
}
/** For each sort. */
const TRACES = sized(1, 12)
const QUESTIONS = 12

const counts = { traces: 0, questions: 0, feasible: 0, search: 0, 'Z3 had no answer': 0 }
let z3: Z3
beforeAll(async () => {
  z3 = await Z3.open({ setup: SMT_SETUP, timeoutMs: 5_000 })
})
afterAll(() => {
  z3.close()
  console.log(JSON.stringify(counts))
})

function questionsAbout(seed: number, trace: ReturnType<typeof randomTrace>): Demands[] {
  const random = new Random(seed)
  const races = raceDemands(trace)
  return [
    ...Array.from({ length: Math.min(QUESTIONS, races.length) }, () => random.pick(races)),
    ...candidateDemands(trace, random, 2),
    ...clauseDemands(trace, random, 1),
  ]
}

for (const [sort, options] of Object.entries(SORTS)) {
  test(`agrees with Z3: ${sort}`, async () => {
    for (let seed = 0; seed < TRACES; seed++) {
      const trace = randomTrace(seed, options)
      counts.traces++
      const list = questionsAbout(seed, trace)
      for (const model of modelsOf(trace)) {
        const staged = new Decider(trace, model, undefined, undefined, undefined, seed % 2 === 0)
        const reference = new Z3Decider(z3, trace, model)
        const checker = new Checker(trace, model)
        for (const demands of list) {
          const answer = staged.decide(demands)
          const theirs = await reference.decide(demands)
          const about = (): string => `seed ${seed} of "${sort}", ${model}, ${JSON.stringify(demands)}\n${showTrace(trace)}`
          counts.questions++
          if (answer.stage === 'search') counts.search++
          if (answer.verdict === 'unknown') throw new Error(`out of ${answer.budget}: ${about()}`)
          if (answer.verdict === 'feasible') {
            counts.feasible++
            const refusal = checker.check(demands, answer.witness.order)
            if (refusal) throw new Error(`${refusal.sentence}: ${about()}`)
          }
          if (theirs.feasible === undefined) counts['Z3 had no answer']++
          else {
            if (theirs.feasible) expect(checker.check(demands, theirs.order)).toBeUndefined()
            if (theirs.feasible !== (answer.verdict === 'feasible')) throw new Error(`Z3 says ${theirs.feasible}: ${about()}`)
          }
        }
      }
    }
  })
}
