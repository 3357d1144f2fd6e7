/** Atomic accesses as litmus tests: what races with them, what comes between the accesses of one turn, wake-ups and messages between threads. */
import { describe, expect, it } from 'vitest'
import { Causality } from '../../src/causal/causality.ts'
import { mustPath } from '../../src/causal/explain.ts'
import { MustOrder } from '../../src/causal/must-order.ts'
import { Decider } from '../../src/predict/decide/decider.ts'
import { predict, type PredictOptions } from '../../src/predict/predict.ts'
import { noDemands } from '../../src/predict/propose/group.ts'
import { parseText } from '../../src/trace/text.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { validate } from '../../src/trace/validate.ts'
import { MODELS } from '../../src/trace/model.ts'
import { totalsOf } from '../adds-up.ts'

const drawn = (text: string): Trace => validate(parseText(text, 'drawing'))

/** Kind, pattern, the events as they are written and, after a bar, what stands next. */
async function found(trace: Trace, options: PredictOptions): Promise<string[]> {
  const { predictions, coverage } = await predict(trace, options)
  expect(totalsOf(coverage).unknown).toBe(0)
  const words = (events: readonly number[]): string => events.map((e) => trace.eventText(e)).join(' ')
  return predictions
    .map(({ candidate: c }) => `${c.pattern}: ${words(c.events)} | ${words(c.next)}${c.region ? ` | ${c.region}` : ''}`)
    .sort()
}

describe('races', () => {
  it('an atomic and a plain access race, two atomic ones do not', async () => {
    const trace = drawn(`
      T1       T2        T3
      w(x)=1
               wa(x)=2
                         ra(x)=2
                         ra(x)=2
                         u(x)=3
    `)
    for (const model of MODELS) {
      expect(await found(trace, { kinds: ['data-race'], model, ungrouped: true })).toEqual([
        'write-read: w(x)=1 ra(x)=2 | w(x)=1 ra(x)=2',
        'write-write: w(x)=1 u(x)=3 | w(x)=1 ra(x)=2',
        'write-write: w(x)=1 wa(x)=2 | w(x)=1 wa(x)=2',
      ])
    }
  })

  it('a plain read races with an update, which stands next at its read half', async () => {
    const trace = drawn('T1       T2\nra(x)=0\nu(x)=1\n         r(x)=1')
    expect(await found(trace, { kinds: ['data-race'], ungrouped: true })).toEqual(['write-read: u(x)=1 r(x)=1 | ra(x)=0 r(x)=1'])
  })

  it('a lock made by compare and exchange guards what lies between, a load and a store do not', async () => {
    const guarded = (take: string): Trace =>
      drawn(`
        T1        T2
        ra(l)=0
        ${take}(l)=1
        w(x)=1
        wa(l)=0
                  ra(l)=0
                  ${take}(l)=1
                  w(x)=2
                  wa(l)=0
      `)
    expect(await found(guarded('u'), { kinds: ['data-race'] })).toEqual([])
    expect(await found(guarded('wa'), { kinds: ['data-race'] })).toEqual(['write-write: w(x)=1 w(x)=2 | w(x)=1 w(x)=2'])
  })
})

describe('atomicity', () => {
  it('a turn is a region, and the halves of an update are no pair in it', async () => {
    const trace = drawn(`
      T1           T2
      turn(start)
      ra(x)=0
      u(x)=1
      ra(x)=1
      wa(x)=5
                   turn(start)
                   ra(x)=5
                   u(x)=6
      turnEnd(start)
    `)
    expect(await found(trace, { kinds: ['atomicity'], model: 'sync', ungrouped: true })).toEqual([
      'R-W-W: ra(x)=1 u(x)=6 wa(x)=5 | wa(x)=5 | one turn',
      'W-R-W: u(x)=1 ra(x)=5 wa(x)=5 | wa(x)=5 | one turn',
      'W-W-R: u(x)=1 u(x)=6 ra(x)=1 | ra(x)=1 | one turn',
    ])
  })

  it('accesses of two turns do not belong together; a turn ends where the next one begins', async () => {
    const trace = drawn(`
      T1           T2
      turn(a)
      ra(x)=0
      turn(b)
      wa(x)=1
                   wa(x)=7
    `)
    expect(await found(trace, { kinds: ['atomicity'], ungrouped: true })).toEqual([])
  })

  it('where the last access is an update, its read half stands next', async () => {
    const trace = drawn('T1       T2\nturn(a)\nwa(x)=1\nra(x)=1\nu(x)=2\n         ra(x)=2')
    expect(await found(trace, { kinds: ['atomicity'], ungrouped: true })).toEqual(['W-R-W: wa(x)=1 ra(x)=2 u(x)=2 | ra(x)=1 | one turn'])
  })

  it('a function inside the turn is the nearer region', async () => {
    const trace = drawn('T1       T2\nturn(a)\nenter(f)\nra(x)=0\nwa(x)=1\nexit(f)\n         wa(x)=2')
    expect(await found(trace, { kinds: ['atomicity'], ungrouped: true })).toEqual(['R-W-W: ra(x)=0 wa(x)=2 wa(x)=1 | wa(x)=1 | function f'])
  })
})

describe('lost wake-ups', () => {
  const waits = (before: string, after: string): Trace =>
    drawn(`
      T1            T2
      acqS(l)
      ra(x)=0
      relS(l)
                    ${before}
                    acq(l)
                    notifyAll(x)
                    rel(l)
                    ${after}
      wake(x)
    `)

  it('found where the store comes after the notify, or not at all', async () => {
    for (const trace of [waits('', ''), waits('', 'wa(x)=1'), waits('wa(y)=1', '')]) {
      for (const model of MODELS) {
        expect(await found(trace, { kinds: ['deadlock'], model })).toEqual(['lost wake-up: notifyAll(x) wake(x) | wake(x)'])
      }
    }
  })

  it('excluded where the store comes first, by what the waiting task saw', async () => {
    const trace = waits('wa(x)=1', '')
    for (const model of ['data', 'maximal'] as const) expect(await found(trace, { kinds: ['deadlock'], model })).toEqual([])
    expect(await found(trace, { kinds: ['deadlock'], model: 'sync' })).toHaveLength(1)
    for (const decider of ['polygraph', 'z3'] as const)
      expect(await found(trace, { kinds: ['deadlock'], model: 'data', decider })).toEqual([])
  })
})

describe('messages', () => {
  it('the one notify of a name comes before its wake, in every model', async () => {
    const trace = drawn(`
      T1            T2
      w(x)=1
      notify(m1)
      w(y)=1
      notify(m2)
                    wake(m1)
                    r(x)=1
                    r(y)=1
                    wake(m2)
    `)
    for (const model of MODELS) {
      const causality = new Causality(trace, model)
      const must = new MustOrder(causality)
      const [wx, n1, wy, n2, wake1, rx, ry, wake2] = Array.from({ length: 8 }, (_, e) => e)
      expect(must.before(n1!, wake1!) && must.before(wx!, rx!) && must.before(n2!, wake2!)).toBe(true)
      expect(must.before(wy!, ry!)).toBe(false)
      expect(mustPath(causality, must, wx!, rx!)!.some((step) => step.sentence.includes('can only be woken by'))).toBe(true)
      expect(await found(trace, { kinds: ['data-race'], model })).toEqual(['write-read: w(y)=1 r(y)=1 | w(y)=1 r(y)=1'])
    }
  })
})

it('a lock made by hand is refuted by the rule of updates', () => {
  const trace = drawn(`
    T1         T2
    ra(l)=0
    u(l)=1
    w(x)=1
    wa(l)=0
               ra(l)=0
               u(l)=1
               w(x)=2
               wa(l)=0
  `)
  const answer = new Decider(trace, 'maximal').decide({ ...noDemands, next: [2, 6] })
  if (answer.verdict !== 'infeasible') throw new Error(answer.verdict)
  expect(answer.rules!.map((rule) => rule.rule)).toContain('update')
})
