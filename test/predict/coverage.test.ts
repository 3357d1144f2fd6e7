/** Candidates are the sum of how they were settled: in random traces, whatever is asked and wherever it stops, and in random programs of loops and threads. */
import { expect, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { CoverageRow } from '../../src/coverage.ts'
import { predictLoop } from '../../src/predict/loop/predict.ts'
import { predict } from '../../src/predict/predict.ts'
import { predictThreads } from '../../src/predict/threads/predict.ts'
import { WORKERS } from '../../src/frontends/workers/vocabulary.ts'
import { totalsOf } from '../adds-up.ts'
import { longRun } from '../loop/long-run.ts'
import { randomTrace } from '../oracle/random-trace.ts'

const trace = (seed: number) =>
  randomTrace(seed, { events: 80, tasks: [2, 4], locations: 3, locks: 2, sites: 8, waits: seed % 2 === 0, atomics: seed % 3 })

test('random traces: one per cause, all of them, few attempts, no budget', async () => {
  let [candidates, grouped, left] = [0, 0, 0]
  for (let seed = 0; seed < 20; seed++) {
    for (const options of [{}, { ungrouped: true }, { attempts: 1 }, { budget: 1 }] as const) {
      const found = await predict(trace(seed), options)
      const totals = totalsOf(found.coverage)
      expect(totals.feasible, `seed ${seed}`).toBe(found.predictions.length)
      candidates += totals.candidates
      grouped += totals.grouped
      left += totals.notLookedAt
    }
  }
  expect([candidates > 3_000, grouped > 100, left > 20]).toEqual([true, true, true])
})

test('random threads: to the end, with a limit, given up by who draws, and from the beginning alone', () => {
  let candidates = 0
  for (let seed = 0; seed < 10; seed++) {
    const random = trace(seed)
    const stepOf = Int32Array.from({ length: random.eventCount }, (_, e) => e - random.taskStart[random.taskOf(e)]! + 1)
    for (const over of [{}, { limit: 2 }, { deadline: 0 }, { beginning: 30 }, { beginning: 30, limit: 1 }]) {
      const coverage = new CoverageRow('threads')
      const found = predictThreads(random, stepOf, { timers: 'due', command: [], vocabulary: WORKERS, coverage, ...over })
      const firsts = new Set([...found].map((p) => p.fingerprint)).size
      const totals = totalsOf(coverage)
      candidates += totals.candidates
      expect(totals.feasible, `seed ${seed} ${JSON.stringify(over)}`).toBeLessThanOrEqual(firsts)
    }
    const coverage = new CoverageRow('threads')
    for (const _ of predictThreads(random, stepOf, { timers: 'due', command: [], vocabulary: WORKERS, coverage })) break
    totalsOf(coverage)
  }
  expect(candidates).toBeGreaterThan(2_000)
})

test('a long run of a loop: to the end, with a limit, too late, and given up by who draws', () => {
  const view = new LoopView(longRun(150, 1_500))
  for (const over of [{}, { limit: 3 }, { deadline: 0 }]) {
    const coverage = new CoverageRow('turns')
    const found = [...predictLoop(view, { timers: 'latency', command: [], coverage, ...over })]
    const { candidates, feasible } = totalsOf(coverage)
    expect(candidates).toBeGreaterThan(0)
    expect(feasible).toBeGreaterThanOrEqual(found.length)
  }
  const coverage = new CoverageRow('turns')
  for (const _ of predictLoop(view, { timers: 'latency', command: [], coverage })) break
  totalsOf(coverage)
})
