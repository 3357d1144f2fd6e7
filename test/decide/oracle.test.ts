import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { Decider } from '../../src/predict/decide/decider.ts'
import { PolygraphDecider } from '../../src/predict/decide/polygraph-decider.ts'
import { Checker } from '../../src/witness/check.ts'
import { MODELS } from '../../src/witness/candidate.ts'
import { explore } from '../oracle/enumerate.ts'
import { raceDemands, randomDemands } from '../oracle/random-demands.ts'
import { randomTrace } from '../oracle/random-trace.ts'

const TRACES = Number(process.env.HEDDLE_ORACLE_TRACES ?? 2000)

for (const order of ['global', 'task'] as const) {
  for (const branches of [false, true]) {
    test(`decider agrees with enumeration: order ${order}, branches ${branches}`, () => {
      const stages = new Map<string, number>()
      for (let seed = 0; seed < TRACES; seed++) {
        const trace = randomTrace(seed, { order, branches })
        const random = new Random(seed)
        for (const model of MODELS) {
          if (model === 'data' && order === 'task') continue
          const truth = explore(trace, model)
          const decider = new Decider(trace, model)
          const polygraph = model === 'maximal' || order === 'task' ? undefined : new PolygraphDecider(decider)
          const checker = new Checker(trace, model)
          for (const demands of [...raceDemands(trace), ...randomDemands(trace, random, 8)]) {
            const answer = decider.decide(demands)
            const key = `${answer.stage} ${answer.verdict}`
            stages.set(key, (stages.get(key) ?? 0) + 1)
            const feasible = truth.feasible(demands)
            if ((answer.verdict === 'feasible') !== feasible) {
              throw new Error(`seed ${seed} model ${model}: ${JSON.stringify(demands)} enumeration ${feasible}, decider ${key}`)
            }
            if (answer.verdict === 'feasible') expect(checker.check(demands, answer.order)).toBeUndefined()
            if (!polygraph) continue
            const theirs = polygraph.decide(demands)
            const theirKey = `polygraph ${theirs.verdict}`
            stages.set(theirKey, (stages.get(theirKey) ?? 0) + 1)
            if (theirs.verdict === 'unknown') continue
            if ((theirs.verdict === 'feasible') !== feasible)
              throw new Error(`seed ${seed} model ${model}: ${JSON.stringify(demands)} enumeration ${feasible}, polygraph ${theirs.verdict}`)
            if (theirs.verdict === 'feasible') expect(checker.check(demands, theirs.order)).toBeUndefined()
          }
        }
      }
      console.log(Object.fromEntries(stages))
    })
  }
}
