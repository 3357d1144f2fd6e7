/** Of a long run the beginning is looked at first: what is predicted there holds in the whole, and the whole is asked for the rest. */
import { describe, expect, test } from 'vitest'
import { withMadeLocks } from '../../src/causal/made-locks.ts'
import { WORKERS } from '../../src/frontends/workers/vocabulary.ts'
import { beginningOf } from '../../src/predict/threads/beginning.ts'
import { CoverageRow } from '../../src/coverage.ts'
import { predictThreads } from '../../src/predict/threads/predict.ts'
import { totalsOf } from '../adds-up.ts'
import { Checker } from '../../src/witness/check.ts'
import { drawn } from './drawn.ts'

const OPTIONS = { timers: 'due', command: [], vocabulary: WORKERS } as const

/** Two workers that count x, y and z, one after the other. */
const column = (by: number, first: number): string =>
  ['x', 'y', 'z']
    .flatMap((cell, i) => [`r(${cell})=${first} @app.mjs:${i}:1`, `w(${cell})=${first + 1} @app.mjs:${i}:9`])
    .map((line) => ' '.repeat(by) + line)
    .join('\n')
const COUNTS = `
main              "worker 1"                  "worker 2"
fork("worker 1")
fork("worker 2")
                  begin
                                              begin
${column(18, 0)}
${column(46, 1)}
                  end
                                              end
join("worker 1")
join("worker 2")
`

describe('the beginning of a run', () => {
  const { trace, stepOf } = drawn(COUNTS)

  test('is what came up to a stamp, with the steps that it had', () => {
    const beginning = beginningOf(trace, stepOf, 8)!
    expect(beginning.trace.eventCount).toBe(8)
    expect([...beginning.trace.taskStart]).toEqual([0, 2, 7, 8])
    const texts = (t: typeof trace): string[] => [...t.recordedOrder()].map((e) => t.eventText(e))
    expect(texts(beginning.trace)).toEqual(texts(trace).slice(0, 8))
    expect([...beginning.stepOf]).toEqual([1, 2, 1, 2, 3, 4, 5, 1])
  })

  test('is nothing of its own in a short run, or where a run is not ordered', () => {
    expect(beginningOf(trace, stepOf, trace.eventCount)).toBeUndefined()
  })

  test('predictions have the events of the whole run, and its checker accepts them', () => {
    const made = withMadeLocks(trace, stepOf).trace
    const checker = new Checker(made, 'maximal')
    for (let events = 1; events < trace.eventCount; events++) {
      const predictions = [...predictThreads(trace, stepOf, { ...OPTIONS, beginning: events })]
      expect(predictions.length).toBeGreaterThan(0)
      for (const { candidate, witness } of predictions) expect(checker.check(candidate, witness.order)).toBeUndefined()
    }
  })

  // By location and sites: whether a read is one of a lost update may need what comes after the cut, and with it the kind.
  test('every cause that the whole run shows is found, wherever it is cut', () => {
    const causes = (beginning?: number): string[] => {
      const options = beginning === undefined ? OPTIONS : { ...OPTIONS, beginning }
      return [...new Set([...predictThreads(trace, stepOf, options)].map((p) => `${p.locations.join(' ')} ${p.sites.join(' ')}`))].sort()
    }
    const whole = causes()
    for (let events = 1; events < trace.eventCount; events++) expect(causes(events)).toEqual(expect.arrayContaining(whole))
  })

  test('what it rules out is asked again, and not counted as impossible when the time is up', () => {
    const coverage = new CoverageRow('threads')
    const predictions = [...predictThreads(trace, stepOf, { ...OPTIONS, beginning: 16, limit: 1, coverage })]
    expect(predictions).toHaveLength(1)
    expect(coverage.infeasible).toEqual({})
    expect(totalsOf(coverage).notLookedAt).toBeGreaterThan(0)
  })
})
