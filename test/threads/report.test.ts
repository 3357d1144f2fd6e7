/** Schedules of threads on their way through a check: what a replay is called, what is kept, and what people read. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { WORKERS } from '../../src/frontends/workers/vocabulary.ts'
import { CoverageRow } from '../../src/coverage.ts'
import { predictThreads } from '../../src/predict/threads/predict.ts'
import { totalsOf } from '../adds-up.ts'
import type { Finding } from '../../src/confirm/confirm.ts'
import { onePerFingerprint } from '../../src/confirm/kept.ts'
import { outcomeOf } from '../../src/confirm/outcome.ts'
import type { ReplayRun } from '../../src/confirm/run.ts'
import { parseSaved, savedOf, type Saved } from '../../src/schedule/saved.ts'
import { documentJson } from '../../src/report/finding-json.ts'
import { checkText, findingLines, lookedAt, wholeFailure } from '../../src/report/finding-text.ts'
import { coverageOf, document, finding, result, TURNS } from '../check/fixture.ts'
import { ROOT } from '../cli/run.ts'
import { violations } from '../report/schema.ts'
import { drawn } from './drawn.ts'

const { trace, stepOf } = drawn(`
main                        "worker 1"              "worker 2"
fork("worker 1") @count.mjs:3:1
fork("worker 2") @count.mjs:3:1
                            begin
                            r(main#1[0])=0 @count.mjs:9:3
                            w(main#1[0])=1 @count.mjs:9:3
                            end
                                                    begin
                                                    r(main#1[0])=1 @count.mjs:9:3
                                                    w(main#1[0])=2 @count.mjs:9:3
                                                    end
`)
const coverage = new CoverageRow('threads')
const threads = [...predictThreads(trace, stepOf, { timers: 'due', command: ['node', 'count.mjs'], vocabulary: WORKERS, coverage })]
const row = { ...coverage.saved(), predictor: 'threads', facts: { ...coverage.facts, active: 3 } } as const
const both = coverageOf(row, TURNS)
const predictions = threads.map(savedOf)
const prediction = predictions[0]!
const { schedule } = threads[0]!
const ENDED = { stopped: false }

const run = (steps: ReplayRun['steps'], over: Partial<ReplayRun> = {}): ReplayRun => ({
  exit: { code: 0, signal: null, ms: 100 },
  steps,
  waiting: [],
  notes: [],
  paths: [],
  seen: [],
  violations: [],
  flips: [],
  stopped: undefined,
  stdout: '',
  stderr: '',
  ...over,
})
const WHOLE = { done: schedule.steps.length }
const code = (n: number): Partial<ReplayRun> => ({ exit: { code: n, signal: null, ms: 100 } })

describe('what a replay of threads is called', () => {
  test('failed: with the order, and without all of it', () => {
    expect(outcomeOf(run(WHOLE, code(1)), schedule, ENDED)).toMatchObject({
      result: 'failed',
      ordered: true,
      failure: { how: 'exit code' },
    })
    expect(outcomeOf(run({ done: 1 }, code(1)), schedule, ENDED)).toMatchObject({ result: 'failed', ordered: false })
    // Nothing was put in order: it is not the schedule's failure.
    expect(outcomeOf(run({ done: 0 }, code(1)), schedule, ENDED)).toMatchObject({ result: 'diverged', step: 1 })
    expect(outcomeOf(run(undefined, code(1)), schedule, ENDED)).toMatchObject({ result: 'diverged', step: 1 })
  })

  test('a hang says who waits for what', () => {
    const waiting = ['worker 1 waits in Atomics.wait for main#1[0].', 'main has nothing to do but to wait for messages.']
    const hang = run(WHOLE, { stopped: 'stuck', waiting })
    expect(outcomeOf(hang, schedule, ENDED)).toMatchObject({
      result: 'failed',
      failure: {
        how: 'hang',
        message: 'The program never ends: worker 1 waits in Atomics.wait for main#1[0].',
        detail: waiting,
        shape: 'hang: The program never ends: worker N waits in Atomics.wait for main#N[N].',
      },
    })
  })

  test('reproduced, diverged with the reason, timed out', () => {
    expect(outcomeOf(run(WHOLE), schedule, ENDED)).toEqual({ result: 'reproduced' })
    const why = 'worker 2 did not come to its step 2: it has ended.'
    expect(outcomeOf(run({ done: 2, gaveUp: { line: 3, why } }), schedule, ENDED)).toEqual({ result: 'diverged', step: 3, why })
    expect(outcomeOf(run({ done: 2 }), schedule, ENDED)).toEqual({
      result: 'diverged',
      step: 3,
      why: `It ended before this: ${schedule.steps[2]!.note}.`,
    })
    expect(outcomeOf(run({ done: 2 }, { stopped: 'watchdog' }), schedule, ENDED)).toMatchObject({ result: 'timed out' })
  })
})

describe('what is kept', () => {
  const parsed = (over: unknown): Saved | { wrong: string } =>
    parseSaved({ ...prediction, schedule: { ...schedule, ...(over as object) } }, 'x') as Saved | { wrong: string }

  test('a saved prediction comes back as it was', () => {
    expect(parseSaved(JSON.parse(JSON.stringify(prediction)), 'x')).toEqual(prediction)
  })

  test('steps are looked at before they are believed', () => {
    const [step] = schedule.steps
    expect(parsed({ steps: 7 })).toEqual({ wrong: '"schedule.steps" is not a list of at most 1000000' })
    for (const bad of [null, {}, { ...step, upTo: 0 }, { ...step, upTo: 1.5 }, { ...step, task: 1 }, { ...step, timesOut: 'yes' }])
      expect(parsed({ steps: [step, bad] })).toEqual({ wrong: expect.stringContaining('"schedule.steps[1]') as string })
    expect(parsed({ sleeps: [1] })).toEqual({ wrong: expect.stringContaining('"schedule.sleeps') as string })
  })

  test('of several orders of one cause the one that failed is the finding', () => {
    const of = (status: Finding<Saved>['status'], earlier = false): Finding<Saved> => finding({ prediction, status, earlier })
    expect(onePerFingerprint([of('REPRODUCED'), of('FAILED'), of('DIVERGED')]).map((f) => f.status)).toEqual(['FAILED'])
    expect(onePerFingerprint([of('REPRODUCED'), of('PREDICTED')]).map((f) => f.status)).toEqual(['REPRODUCED'])
    expect(onePerFingerprint([of('DIVERGED', true), of('REPRODUCED')]).map((f) => f.status)).toEqual(['REPRODUCED'])
  })
})

describe('what people read', () => {
  const found = finding({ prediction })
  const options = { width: 110, colour: false, root: '/nowhere', verbose: false }

  test('a finding has its story and both orders', () => {
    expect(findingLines(found, 1, options).slice(0, 12).join('\n')).toBe(
      `1. FAILED 3 of 3 replays: lost update on main#1[0]
   Worker 1 and worker 2 change main#1[0], and one change is lost: worker 2 reads it (count.mjs:9) before
   worker 1 writes it (count.mjs:9).

   failing  recorded
   ①        1st       A  reads main#1[0] = 0   count.mjs:9
   ②        3rd       B  reads main#1[0] = 0   count.mjs:9
   ③        4th       B  writes main#1[0]      count.mjs:9
   ④        2nd       A  writes main#1[0] = 1  count.mjs:9
   A = worker 1, from count.mjs:3
   B = worker 2, from count.mjs:3
`,
    )
  })

  test('heddle show has the schedule and every step', () => {
    expect(wholeFailure(found)[1]).toBe('Command: node count.mjs (timers due)')
    expect(wholeFailure(found).slice(3, 10)).toEqual([
      'Schedule:',
      '  1. main goes on up to its step 2: fork at count.mjs:3',
      '  2. worker 1 goes on up to its step 2: read at count.mjs:9',
      '  3. worker 2 goes on up to its step 2: read at count.mjs:9',
      '',
      'Recorded order:',
      '  worker 1, from count.mjs:3:1',
    ])
  })

  test('the coverage speaks of threads', () => {
    const line = lookedAt(result([found], { coverage: both }))
    expect(line).toMatch(/^Looked at: 3 threads with 10 steps and 1 shared cell, 214 turns, 3,402 accesses in 1 module/)
    expect(line).toContain(`; ${57 + totalsOf(coverage).candidates} pairs: `)
    const locked = coverageOf({ ...row, facts: { ...row.facts, cells: 4, locks: 2 } }, TURNS)
    expect(lookedAt(result([found], { coverage: locked }))).toContain('4 shared cells (2 of them locks), ')
    expect([...checkText(result([found], { coverage: both }), options)].join('')).toContain('3 threads with 10 steps')
  })

  test('the JSON follows the schema', () => {
    const schema = JSON.parse(readFileSync(join(ROOT, 'docs/finding.schema.json'), 'utf8'))
    const all = predictions.map((p, i) => finding({ prediction: p, status: i === 0 ? 'FAILED' : 'REPRODUCED' }))
    const json = JSON.parse([...documentJson(document(all, { coverage: both }))].join(''))
    expect(violations(schema, json)).toEqual([])
    expect(json.coverage[0]).toMatchObject({ predictor: 'threads', facts: { threads: 3 } })
    expect(json.findings[0].schedule.steps).toHaveLength(3)
  })
})
