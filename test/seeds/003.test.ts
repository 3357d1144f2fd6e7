/** GPredict: Figure 7 (two waits, one notify) and Figure 5 (a method meant to be atomic). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Decider } from '../../src/predict/decide/decider.ts'
import { Z3Decider } from '../../src/predict/decide/z3-decider.ts'
import { Z3 } from '../../src/solve/z3.ts'
import { MODELS } from '../../src/trace/model.ts'
import { Checker } from '../../src/witness/check.ts'
import { explore } from '../oracle/enumerate.ts'
import { demanding } from '../oracle/random-demands.ts'
import { at, figure, predicted } from './figures.ts'

describe('figure 7', () => {
  let z3: Z3
  beforeAll(async () => {
    z3 = await Z3.open()
  })
  afterAll(() => z3.close())

  // Only the order inside each task is known, as in the paper; no run has both wakes.
  const waits = (signal: string) =>
    figure(`
      order: task
      T1             T2             T3
      acq(l) @x1
      rel(l) @x2
      wake(g) @x3
      acq(l) @x4
      rel(l) @x5
                     acq(l) @y1
                     rel(l) @y2
                     wake(g) @y3
                     acq(l) @y4
                     rel(l) @y5
                                    acq(l) @z1
                                    ${signal}
                                    rel(l) @z3
    `)

  async function canInclude(signal: string, ...sites: string[]): Promise<boolean> {
    const trace = waits(signal)
    const demands = demanding({ include: sites.map((site) => at(trace, site)) })
    const answers: boolean[] = []
    for (const model of ['sync', 'maximal'] as const) {
      const answer = new Decider(trace, model).decide(demands)
      answers.push(answer.verdict === 'feasible', explore(trace, model).feasible(demands))
      answers.push((await new Z3Decider(z3, trace, model).decide(demands)).feasible === true)
      if (answer.verdict === 'feasible') expect(new Checker(trace, model).check(demands, answer.witness.order)).toBeUndefined()
    }
    expect(new Set(answers).size, answers.join()).toBe(1)
    return answers[0]!
  }

  it('one notify: each wait alone can be woken', async () => {
    expect(await canInclude('notify(g) @z2', 'x3')).toBe(true)
    expect(await canInclude('notify(g) @z2', 'y3')).toBe(true)
    expect(await canInclude('notify(g) @z2', 'x5', 'y2')).toBe(true)
  })

  it('one notify: not both', async () => {
    expect(await canInclude('notify(g) @z2', 'x3', 'y3')).toBe(false)
    expect(await canInclude('notify(g) @z2', 'x5', 'y5')).toBe(false)
  })

  it('one notifyAll: both', async () => {
    expect(await canInclude('notifyAll(g) @z2', 'x5', 'y5')).toBe(true)
  })
})

describe('figure 5', () => {
  const twiceAndOnce = (enter: string, exit: string) =>
    figure(`
      T1                   T2
      fork(T2)
      enter(m)
      ${enter}
      r(s) @T1.1r
      w(s) @T1.1w
      ${exit}
      exit(m)
      enter(m)
      ${enter}
      r(s) @T1.2r
      w(s) @T1.2w
      ${exit}
      exit(m)
                           enter(m)
                           ${enter}
                           r(s) @T2r
                           w(s) @T2w
                           ${exit}
                           exit(m)
    `)

  it('without synchronization: every call can be broken by a write of the other task', async () => {
    expect(await predicted(twiceAndOnce('', ''), { kinds: ['atomicity'], model: 'sync' })).toEqual([
      'R-W-W T1.1r T2w T1.1w',
      'R-W-W T1.2r T2w T1.2w',
      'R-W-W T2r T1.1w T2w',
      'R-W-W T2r T1.2w T2w',
    ])
  })

  it('the same by polygraph and by Z3', async () => {
    for (const decider of ['polygraph', 'z3'] as const) {
      expect(await predicted(twiceAndOnce('', ''), { kinds: ['atomicity'], model: 'sync', decider })).toHaveLength(4)
    }
  })

  it('grouped: one prediction a cause', async () => {
    expect(await predicted(twiceAndOnce('', ''), { kinds: ['atomicity'], model: 'sync', ungrouped: false })).toHaveLength(4)
  })

  it('from a serial run `data` finds none: what a call writes depends on what it read, and no two calls read the same', async () => {
    expect(await predicted(twiceAndOnce('', ''), { kinds: ['atomicity'], model: 'data' })).toEqual([])
  })

  it('once two calls have read the same write `data` finds the other one broken as well', async () => {
    const trace = figure(`
      T1            T2
      enter(m)
      r(s) @r1
                    enter(m)
                    r(s) @r2
      w(s) @w1
      exit(m)
                    w(s) @w2
                    exit(m)
    `)
    expect(await predicted(trace, { kinds: ['atomicity'], model: 'data' })).toEqual(['R-W-W r1 w2 w1', 'R-W-W r2 w1 w2'])
  })

  it('none when the method is synchronized, though T2 may call it between the two calls of T1', async () => {
    // An enter that was matched with the wrong exit would make T1.1w, T2w, T1.2r a violation.
    const trace = twiceAndOnceLocked()
    for (const model of MODELS) expect(await predicted(trace, { kinds: ['atomicity'], model })).toEqual([])
    const [a, c, b] = [at(trace, 'T1.1w'), at(trace, 'T2w'), at(trace, 'T1.2r')]
    expect(new Decider(trace, 'sync').decide(demanding({ before: [[a, c]], next: [b] })).verdict).toBe('feasible')
  })

  it('synchronized on two locks is not synchronized', async () => {
    const trace = figure(`
      T1            T2
      enter(m)
      acq(l1)
      r(s) @r1
      w(s) @w1
      rel(l1)
      exit(m)
                    enter(m)
                    acq(l2)
                    r(s) @r2
                    w(s) @w2
                    rel(l2)
                    exit(m)
    `)
    expect(await predicted(trace, { kinds: ['atomicity'], model: 'sync' })).toEqual(['R-W-W r1 w2 w1', 'R-W-W r2 w1 w2'])
  })

  const twiceAndOnceLocked = () => twiceAndOnce('acq(this)', 'rel(this)')
})
