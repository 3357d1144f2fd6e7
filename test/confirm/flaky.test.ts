/** A program that fails without delays is a finding, and is compared with the replays of a schedule. */
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
import { variesText } from '../../src/report/varies-text.ts'
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
function plainRuns(ends: readonly Ended[], alone?: Ended, watchdogMs = 1000): PlainRuns {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-flaky-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let at = 0
  const program = { replay: async () => ends[at++ % ends.length]!, ...(alone ? { alone: async () => alone } : {}) }
  return new PlainRuns({ program, recording: { ...recording, stopped: false }, cwd: folder, folder, watchdogMs } as unknown as Rerun)
}

test('a schedule is FAILED only if it fails clearly more often than plain runs', () => {
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
  const finding = flakyOf(plain, recording, true)!
  expect(finding).toMatchObject({ status: 'FAILED', replays: { runs: 2, failures: 1 }, failure: { message: 'Error: unlucky' } })
  expect(finding.prediction).toMatchObject({
    kind: 'flaky',
    summary: 'The program failed in 1 of 2 reruns without any delay.',
    sites: ['/app/a.js:5:26'],
    schedule: { kind: 'plain' },
  })
  // An order that explains the same failure stands before it.
  const explained = { ...finding, prediction: { ...finding.prediction, kind: 'order-violation', fingerprint: 'f' } }
  const [first, ...others] = onePerFailure([finding, explained])
  expect(first).toMatchObject({ prediction: { fingerprint: 'f' }, also: [{ prediction: { kind: 'flaky' } }] })
  expect(others).toEqual([])
})

test("a suite that fails: the first line that is printed differently names the test, and the place is the program's", async () => {
  const suite = (second: string, code: number, more = ''): Ended => ({
    ...passed,
    exit: { code, signal: null, ms: 1 },
    stdout: `ok 1 - reads\n  duration_ms: ${code + 7}\n${second} 2 - is lucky (12ms)\n${more}# pass 1\n`,
  })
  const fails = suite(
    'not ok',
    1,
    '  Test.run (node:internal/test:797:9)\n  at /app/node_modules/x/i.js:1:2\n  at lucky (/app/a.test.js:7:3)\n',
  )
  const plain = plainRuns([fails, suite('ok', 0)])
  await plain.upTo(2, endless())
  const finding = flakyOf(plain, recording, true)!
  expect(finding.prediction.sites).toEqual(['/app/a.test.js:7:3'])
  expect(finding.failure!.detail[0]).toBe('not ok 2 - is lucky (12ms)')
  expect(finding.note).toBe(
    'The first line of output that differs: "not ok 2 - is lucky (12ms)", where a rerun that passed has "ok 2 - is lucky (12ms)".',
  )
})

test('what fails by itself stands before what a schedule makes fail', async () => {
  const plain = plainRuns([thrown, passed])
  await plain.upTo(2, endless())
  const flaky = flakyOf(plain, recording, true)!
  const other = {
    ...flaky,
    prediction: { ...flaky.prediction, kind: 'atomicity', fingerprint: 'o' },
    failure: { ...flaky.failure!, shape: 'other' },
  }
  expect(onePerFailure([other, flaky]).map(({ prediction }) => prediction.kind)).toEqual(['flaky', 'atomicity'])
})

test('a program that is stopped by the watchdog has not failed, whatever it says then', async () => {
  const plain = plainRuns([{ ...thrown, stopped: 'watchdog' }])
  await plain.upTo(1, endless())
  expect(plain).toMatchObject({ runs: 1, failed: 0, differed: ['it had not ended after 0 s'] })
})

test('runs in a view and without one count together', async () => {
  const [inView, without] = [plainRuns([thrown]), plainRuns([passed, thrown])]
  await Promise.all([inView.upTo(4, endless()), without.upTo(4, endless())])
  expect([inView.endedWell, without.endedWell]).toEqual([false, true])
  inView.add(without)
  expect(inView).toMatchObject({ runs: 8, failed: 6, endedWell: true })
})

test('where every rerun fails and nobody has seen it without Heddle, nothing is called flaky', async () => {
  const plain = plainRuns([thrown])
  await plain.upTo(2, endless())
  expect(flakyOf(plain, recording, true)).toBeUndefined()
  expect(plain).toMatchObject({ runs: 2, failed: 2, failure: { message: 'Error: unlucky' } })
})

test('where every rerun fails, one run without Heddle tells whether it is the program', async () => {
  const told = async (ends: readonly Ended[], alone?: Ended, startsOver = true): Promise<[string, string]> => {
    const plain = plainRuns(ends, alone)
    const budget = { deadline: Infinity, replaysLeft: 3 }
    await plain.upTo(2, budget)
    await plain.decide(budget)
    expect(budget.replaysLeft).toBe(plain.alone === undefined ? 1 : 0)
    const finding = flakyOf(plain, recording, startsOver)
    const text = finding === undefined ? 'none' : `${finding.status} ${finding.prediction.summary} ${finding.note ?? ''}`.trim()
    return [variesText({ varies: plain.differed, plain, failed: Number(finding?.status === 'FAILED') }), text]
  }
  expect(await told([thrown], passed)).toEqual([
    'Replays of this program cannot be relied on. The recorded run passed, and without any delay it failed in 2 of 2 runs: exit code 1 (Error: unlucky). Run once more without Heddle, it passed. So nothing is called FAILED.',
    'REPRODUCED The recorded run passed, and the program failed in 2 of 2 reruns without any delay. Run once without Heddle it passed: the replays may be at fault, so it is not called FAILED.',
  ])
  expect(await told([thrown], thrown)).toEqual([
    'The program does not pass every time. The recorded run passed, and without any delay it failed in 2 of 2 runs: exit code 1 (Error: unlucky). Run once more without Heddle, it failed as well: exit code 1. It is flaky, or it depends on something outside that replays do not reset.',
    'FAILED The recorded run passed, and the program failed in 2 of 2 reruns without any delay. Run once without Heddle it failed as well: exit code 1.',
  ])
  expect((await told([thrown], thrown, false))[1]).toBe(
    'REPRODUCED The recorded run passed, and the program failed in 2 of 2 reruns without any delay. Run once without Heddle it failed as well: exit code 1. Both had the files as the recorded run left them, so it is not called FAILED.',
  )
  expect((await told([thrown, passed], passed))[0]).toMatch(/^The program is flaky/)
  expect(await told([thrown])).toEqual([expect.stringMatching(/^The program is flaky/), 'none'])
  expect(await told([passed], thrown)).toEqual(['', 'none'])
})

test('a program that passes every time is not flaky', async () => {
  const plain = plainRuns([passed])
  await plain.upTo(2, endless())
  expect(flakyOf(plain, recording, true)).toBeUndefined()
  expect(whyItVaries(plain, true)).toEqual(['Without delays every turn came as recorded, in all 2 runs.'])
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

test('a run that is cut because the time of the check is over says nothing of the program', async () => {
  const cut: Ended = { ...passed, exit: { code: null, signal: 'SIGKILL', ms: 900 }, stopped: 'watchdog' }
  const hurried = plainRuns([cut], undefined, 60_000)
  await hurried.upTo(2, { deadline: performance.now() + 10, replaysLeft: 5 })
  expect([hurried.runs, hurried.differed]).toEqual([0, []])
  const patient = plainRuns([cut], undefined, 60_000)
  await patient.upTo(1, endless())
  expect([patient.runs, patient.differed]).toEqual([1, ['it had not ended after 1 s']])
})
