/** The predictor on small hand-made recordings: what must be predicted, with which instructions, and what must not. */
import { LoopView } from '../../src/causal/loop/turns.ts'
import { describe, expect, test } from 'vitest'
import { CoverageRow } from '../../src/coverage.ts'
import { predictLoop, type LoopPrediction } from '../../src/predict/loop/predict.ts'
import { totalsOf } from '../adds-up.ts'
import type { Timers } from '../../src/schedule/schedule.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { LoopTrace } from './loop-trace.ts'

const all = (trace: Trace, timers: Timers = 'due'): LoopPrediction[] => [
  ...predictLoop(new LoopView(trace), { timers, command: ['node', 'app.js'] }),
]

/** What a person would say of the instructions. */
const says = (p: LoopPrediction): string =>
  p.schedule.delays
    .map((i) =>
      i.do === 'stall'
        ? `stall ${i.ms} after ${i.after}`
        : i.do === 'hold'
          ? `hold ${i.what.label}#${i.what.nth} at ${i.at} until ${i.until.label}#${i.until.nth}`
          : i.do,
    )
    .join(', ')

const names = (steps: LoopPrediction['observed']): string => steps.map((s) => (s.offLoop ? `(${s.turn.label})` : s.turn.label)).join(' ')

describe('resources', () => {
  // Two calls of "make the directory unless it is there", the second 10 ms later.
  const mkdirp = (): Trace =>
    new LoopTrace()
      .post('checkA', 'fs', 'node_modules/mk/index.js:3:1 check')
      .post('later', 'timer 10', 'app.js:1:1 main')
      .turn('checkA', 1)
      .effect('checkA', 'r file:/d')
      .post('mkdirA', 'fs', 'node_modules/mk/index.js:5:1 make')
      .turn('mkdirA', 2)
      .effect('mkdirA', 'w file:/d', 'w dir:/')
      .turn('later', 10)
      .post('checkB', 'fs', 'node_modules/mk/index.js:3:1 check')
      .turn('checkB', 11)
      .effect('checkB', 'r file:/d')
      .exit(0)
      .finish()

  test('check-then-act on a path: the act is held at its start until the other check has answered', () => {
    const [first] = all(mkdirp())
    expect(first).toMatchObject({ kind: 'atomicity', pattern: 'check-then-act', locations: ['file:/d'] })
    expect(says(first!)).toBe('hold mkdirA#1 at start until checkB#1')
    expect(names(first!.observed)).toBe('(checkA) (mkdirA) (checkB)')
    expect(names(first!.failing)).toBe('(checkA) (checkB) (mkdirA)')
    expect(first!.sites.slice(0, 2)).toEqual(['node_modules/mk/index.js:5:1 make', 'node_modules/mk/index.js:3:1 check'])
    expect(first!.schedule).toMatchObject({
      // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
      expect: { first: { label: 'checkB', nth: 1 }, then: { label: 'mkdirA', nth: 1 } },
      horizon: 18,
    })
    expect(first!.why.length).toBeGreaterThan(1)
  })

  test('a fingerprint does not know labels, object numbers or times', () => {
    expect(all(mkdirp())[0]!.fingerprint).toMatch(/^[0-9a-f]{16}$/)
    expect(all(mkdirp())[0]!.fingerprint).toBe(all(mkdirp())[0]!.fingerprint)
  })

  test('two operations under way at once may have their effects in either order', () => {
    const trace = new LoopTrace()
      .post('a', 'fs')
      .post('b', 'fs')
      .turn('a', 1)
      .effect('a', 'w file:/x')
      .turn('b', 2)
      .effect('b', 'w file:/x')
      .post('end', 'timer 1')
      .turn('end', 9)
      .finish()
    expect(all(trace).map(says).sort()).toEqual(['hold a#1 at start until b#1', 'hold b#1 at start until a#1'])
  })
})

describe('stalls', () => {
  test('a late loop lets a timer run before the answer it was to come after', () => {
    const trace = new LoopTrace()
      .post('connect', 'timer 2')
      .post('sleep', 'timer 20')
      .turn('connect', 2)
      .post('reply', 'timer 5')
      .turn('reply', 7)
      .write('Pool#1.idle', 1, 'pool.js:9:1 release')
      .turn('sleep', 20)
      .read('Pool#1.idle', 'pool.js:20:1 end')
      .post('end', 'timer 5')
      .turn('end', 25)
      .finish()
    const [first] = all(trace)
    expect(says(first!)).toBe('stall 20 after sleep')
    expect(first!.witness).toMatchObject({ front: 1, order: [1, 3, 2] })
    expect(first!.pattern).toBe('use after teardown')
  })

  test('a timer overtakes an immediate and a close callback, not an immediate posted by I/O', () => {
    const build = (queue: string, from: string): Trace => {
      const trace = new LoopTrace().post('io', 'fs').post('t3', 'timer 3').post('t20', 'timer 20')
      for (const turn of ['io', 't3']) {
        trace.turn(turn, turn === 'io' ? 1 : 3)
        if (turn !== from) continue
        trace
          .post('x', queue)
          .turn('x', turn === 'io' ? 1.1 : 3.1)
          .write('State#1.open', true, 'a.js:1:1')
      }
      return trace.turn('t20', 20).read('State#1.open', 'a.js:2:1').post('end', 'immediate').turn('end', 21).finish()
    }
    expect(all(build('immediate', 't3')).map(says)).toEqual(['stall 20 after t20'])
    expect(all(build('close', 't3')).map(says)).toEqual(['stall 20 after t20'])
    // The stall after the post lets the timer run before the I/O itself; the immediate follows the I/O.
    expect(all(build('immediate', 'io')).map(says)).toEqual(['hold io#1 at finish until t20#1'])
  })

  test('with timers as latencies a timer is held like I/O', () => {
    const trace = new LoopTrace()
      .post('a', 'timer 5')
      .post('b', 'timer 5')
      .turn('a', 5)
      .write('Store#1.n', 1, 'a.js:1:1')
      .turn('b', 5.1)
      .write('Store#1.n', 2, 'a.js:1:1')
      .post('end', 'timer 1')
      .turn('end', 9)
      .finish()
    expect(all(trace, 'latency').map(says)).toEqual(['hold a#1 at finish until b#1'])
    const coverage = new CoverageRow('turns')
    expect([...predictLoop(new LoopView(trace), { timers: 'due', command: [], coverage })]).toEqual([])
    expect(totalsOf(coverage)).toMatchObject({ candidates: 1, infeasible: 1 })
  })
})

describe('the last turn', () => {
  /** `get` fills a cache unless it is full; the second caller comes last, and then the program looks at the results. */
  const cache = (): LoopTrace =>
    new LoopTrace()
      .read('cache', 'app.js:5:9 get')
      .post('fill', 'fs')
      .post('later', 'timer 20')
      .turn('fill', 1)
      .write('cache', 'filled', 'app.js:8:5 get')
      .turn('later', 20)

  test('what others do in it before somebody looks at the results is flipped like anything else', () => {
    const trace = cache().chain('second').read('cache', 'app.js:5:9 get').chain('rest').after(1).read('cache', 'app.js:14:1').finish()
    expect(all(trace).map(says)).toEqual(['hold fill#1 at finish until later#1'])
  })

  test('so is what runs elsewhere, too, in the chain that ends the program', () => {
    expect(all(cache().read('cache', 'app.js:5:9 get').finish()).length).toBe(1)
    expect(all(cache().read('cache', 'app.js:5:9 get < app.js:20:3').finish()).length).toBe(1)
    expect(all(cache().read('cache', 'app.js:14:1').finish())).toEqual([])
  })
})

describe('silence', () => {
  test('what one turn posts comes after it; main comes before everything', () => {
    const trace = new LoopTrace()
      .write('x', 1)
      .post('a', 'fs')
      .turn('a', 1)
      .write('x', 2)
      .post('b', 'fs')
      .turn('b', 2)
      .read('x')
      .post('end', 'immediate')
      .turn('end', 3)
      .finish()
    expect(all(trace)).toEqual([])
  })

  test('a flip that no read can notice, writes of [*], the clock, and what only the end of the program reads', () => {
    const trace = new LoopTrace().post('a', 'fs').post('b', 'fs').post('c', 'fs')
    trace.turn('a', 1).write('x', 1).write('Array#1[*]').read('clock').write('y', 7)
    trace.turn('b', 2).write('x', 1).write('Array#1[*]').write('clock')
    trace.turn('c', 3).read('y').exit(0)
    expect(all(trace.finish())).toEqual([])
  })

  test('limits and deadlines are kept and counted', () => {
    const trace = new LoopTrace()
    for (let i = 0; i < 5; i++) trace.post(`a${i}`, 'fs').post(`b${i}`, 'fs')
    for (let i = 0; i < 5; i++) trace.turn(`a${i}`, 1 + i).write(`v${'abcde'[i]}`, i, `a.js:${i}:1`)
    for (let i = 0; i < 5; i++) trace.turn(`b${i}`, 10 + i).read(`v${'abcde'[i]}`, `b.js:${i}:1`)
    const whole = trace.post('end', 'immediate').turn('end', 20).finish()
    expect(all(whole).length).toBe(5)
    const coverage = new CoverageRow('turns')
    expect([...predictLoop(new LoopView(whole), { timers: 'due', command: [], limit: 2, coverage })].length).toBe(2)
    expect([...predictLoop(new LoopView(whole), { timers: 'due', command: [], deadline: 0, coverage })]).toEqual([])
    expect(totalsOf(coverage).notLookedAt).toBeGreaterThanOrEqual(5)
  })
})
