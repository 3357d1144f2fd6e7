/** A program that fails with nothing held: told as a finding, and compared with what a schedule does. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { failsMoreOften, PlainRuns } from '../../src/confirm/determinism.ts'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { firstDifference } from '../../src/confirm/first-difference.ts'
import { flakyOf, whyItVaries } from '../../src/confirm/flaky.ts'
import { onePerFailure } from '../../src/confirm/group.ts'
import type { Rerun } from '../../src/confirm/run.ts'
import type { Ended } from '../../src/frontends/contract.ts'
import { run } from '../runtime/program.ts'

const passed: Ended = {
  exit: { code: 0, signal: null, ms: 1 },
  waiting: [],
  notes: [],
  paths: [],
  seen: [],
  stopped: undefined,
  stdout: '',
  stderr: '',
}
const thrown: Ended = {
  ...passed,
  exit: { code: 1, signal: null, ms: 1 },
  uncaught: { kind: 'exception', message: 'Error: unlucky', stack: ['at run (file:///app/a.js:5:26)'] },
}
const recording = { command: ['node', 'a.js'], timers: 'due' as const }

/** Plain runs of a program that ends like this, one after the other. */
function plainRuns(ends: readonly Ended[]): PlainRuns {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-flaky-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let at = 0
  const program = { replay: async () => ends[at++ % ends.length]! }
  return new PlainRuns({ program, recording: { ...recording, stopped: false }, cwd: folder, folder, watchdogMs: 1000 } as unknown as Rerun)
}

test('the rates decide', () => {
  const all = { runs: 3, failures: 3 }
  expect(failsMoreOften(all, { runs: 2, failed: 1 })).toBe(false)
  expect(failsMoreOften(all, { runs: 10, failed: 1 })).toBe(true)
  expect(failsMoreOften(all, { runs: 20, failed: 1 })).toBe(true)
  expect(failsMoreOften(all, { runs: 10, failed: 5 })).toBe(false)
  expect(failsMoreOften({ runs: 3, failures: 2 }, { runs: 10, failed: 3 })).toBe(false)
  expect(failsMoreOften({ runs: 10, failures: 10 }, { runs: 10, failed: 5 })).toBe(true)
})

const endless = () => ({ deadline: Infinity, replaysLeft: 100 })

test('one of two reruns fails: a finding, with the rate, the error and the place', async () => {
  const plain = plainRuns([thrown, passed])
  const budget = endless()
  // Two that ask at the same time get the same runs.
  await Promise.all([plain.upTo(2, budget), plain.upTo(2, budget)])
  expect([plain.runs, budget.replaysLeft]).toEqual([2, 98])
  const finding = flakyOf(plain, recording)!
  expect(finding).toMatchObject({ status: 'FAILED', replays: { runs: 2, failures: 1 }, failure: { message: 'Error: unlucky' } })
  expect(finding.prediction).toMatchObject({
    kind: 'flaky',
    summary: 'The program failed by itself in 1 of 2 reruns, with nothing held.',
    sites: ['/app/a.js:5:26'],
    schedule: { kind: 'plain' },
  })
  // An order that explains the same failure stands before it.
  const explained = { ...finding, prediction: { ...finding.prediction, kind: 'order-violation', fingerprint: 'f' } }
  const [first, ...others] = onePerFailure([finding, explained])
  expect(first).toMatchObject({ prediction: { fingerprint: 'f' }, also: [{ prediction: { kind: 'flaky' } }] })
  expect(others).toEqual([])
})

test('a program that fails every time it is run again may have left something behind', async () => {
  const plain = plainRuns([thrown])
  await plain.upTo(2, endless())
  expect(flakyOf(plain, recording)).toBeUndefined()
  expect(plain).toMatchObject({ runs: 2, failed: 2, failure: { message: 'Error: unlucky' } })
})

test('a program that passes every time is not flaky', async () => {
  const plain = plainRuns([passed])
  await plain.upTo(2, endless())
  expect(flakyOf(plain, recording)).toBeUndefined()
  expect(whyItVaries(plain, true)).toEqual(['With nothing held every turn of the recorded run came in its place, in all 2 runs.'])
  expect(whyItVaries(plain, false)).toEqual([])
})

test('the first turn that differs is named', async () => {
  const source = `
    const fs = require('fs')
    if (process.argv[2] === 'file') fs.stat('.', () => {})
    else setTimeout(() => {}, 5)
    setTimeout(() => {}, 300)`
  const [one, two, again] = await Promise.all(['file', 'timer', 'file'].map((way) => run({ 'main.cjs': source }, { args: [way] })))
  const view = (ran: typeof one): LoopView => new LoopView(ran!.trace())
  expect(firstDifference(view(one), view(again))).toBeUndefined()
  expect(firstDifference(view(one), view(two))).toMatch(/^Turn 1 was timer 5 ms \(main\.cjs:4:10\), which .* fs\.stat \(main\.cjs:3:40\)/)
})

test('no run is made that the budget does not have', async () => {
  const plain = plainRuns([passed])
  const budget = { deadline: Infinity, replaysLeft: 1 }
  await plain.upTo(2, budget)
  expect([plain.runs, budget.replaysLeft]).toEqual([1, 0])
})
