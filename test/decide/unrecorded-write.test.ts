/** A trace that lacks a write: two reads saw different initial values. The recorded order stays feasible. */
import { expect, test } from 'vitest'
import { Decider } from '../../src/predict/decide/decider.ts'
import { Checker } from '../../src/witness/check.ts'
import { explore } from '../oracle/enumerate.ts'
import { litmus } from '../oracle/litmus.ts'
import { demanding } from '../oracle/random-demands.ts'

test('a read that saw the initial value need not see the only write of its value', () => {
  const { trace, at } = litmus(`
    t1 r(x)=0 @first
    t2 r(x)=5 @read
    t2 w(y)=1 @after
    t3 w(x)=5 @write`)
  const demands = demanding({ include: [at('after')], without: [at('write')] })
  expect(explore(trace, 'maximal').feasible(demands)).toBe(true)
  const answer = new Decider(trace, 'maximal').decide(demands)
  expect(answer.verdict).toBe('feasible')
  if (answer.verdict === 'feasible') expect(new Checker(trace, 'maximal').check(demands, answer.witness.order)).toBeUndefined()
})
