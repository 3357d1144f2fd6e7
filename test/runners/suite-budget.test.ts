/** How long the analysis of a run of tests may take, on a clock of our own. */
import { expect, test } from 'vitest'
import { allowanceOf, allowedMs } from '../../src/base/allowance.ts'
import { budgetNote, mayTry, newBudget } from '../../src/confirm/budget.ts'
import { runsTests } from '../../src/frontends/node/launch.ts'
import { LEAST_MS, plainMs, SuiteBudget } from '../../src/runners/suite-budget.ts'

test('a budget is a time or a multiple', () => {
  expect(['90s', '5m', '1h', '3x', '1.5x'].map((text) => allowedMs(allowanceOf(text)!, 1000))).toEqual([
    90_000, 300_000, 3_600_000, 3000, 1500,
  ])
  for (const none of ['', '5', 'x', '0x', '-1s', '5 m', '3X', '1e3s', '5m '] as const) expect(allowanceOf(none)).toBeUndefined()
})

/** A suite on a clock of its own, in one process. */
function suite(text: string, known: { replayMs?: number; lookMs?: number } = {}) {
  const clock = { now: 1_000_000 }
  const used = { ms: 0, replays: 0 }
  const tests = { alone: 0, analyses: 0, plain: 0, toStart: 0 }
  const ledger = {
    get ms() {
      return used.ms
    },
    get replays() {
      return used.replays
    },
    add: (ms: number, replays: number) => ((used.ms += ms), (used.replays += replays)),
  }
  const now = (): number => clock.now
  const budget = new SuiteBudget(text, clock.now, ledger, { guessMs: 1000, ...known }, now, () => 1)
  return {
    clock,
    used,
    budget,
    /** A test of so many milliseconds, and its analysis with as many replays as fit, up to `most`. */
    test(ms: number, most: number, replayMs = 500, ahead = 0): number {
      tests.alone += ms
      tests.plain += ms
      clock.now += ms
      budget.begin({ ...tests }, ahead)
      let replays = 0
      if (budget.mayLook()) {
        clock.now += 20
        for (; replays < most && budget.fits(); replays++) {
          clock.now += replayMs
          budget.took(replayMs)
        }
        budget.end(false)
      }
      tests.analyses = clock.now - 1_000_000 - tests.alone
      return replays
    },
    total: () => clock.now - 1_000_000,
  }
}

test('a time is that of the whole run', () => {
  const { clock, budget } = suite('2m')
  budget.begin({ alone: 10_000, analyses: 0, plain: 10_000, toStart: 0 }, 0)
  expect([budget.isPaced, budget.leftMs()]).toEqual([false, 120_000])
  clock.now += 119_000
  expect(budget.leftMs()).toBe(1000)
})

test('a multiple is kept, in long suites, and in short ones but for two seconds', () => {
  for (const [tests, ms] of [
    [30, 75],
    [30, 3],
    [400, 100],
    [3, 4000],
  ] as const) {
    const run = suite('3x')
    const replays = Array.from({ length: tests }, () => run.test(ms, 4)).reduce((sum, one) => sum + one)
    expect(replays).toBeGreaterThan(0)
    expect(run.total()).toBeLessThanOrEqual(Math.max(3 * tests * ms, tests * ms + LEAST_MS) + 20)
  }
})

test('one replay there is always, however long it takes, and one for all processes', () => {
  const run = suite('3x', { replayMs: 5000 })
  expect([1, 2, 3].map(() => run.test(10, 4, 5000))).toEqual([1, 0, 0])
  const other = suite('3x', { replayMs: 5000 })
  other.used.replays = 1
  expect(other.test(10, 4, 5000)).toBe(0)
})

test('what a failure takes is not charged', () => {
  const run = suite('3x', { replayMs: 500 })
  run.budget.begin({ alone: 100, analyses: 0, plain: 100, toStart: 0 }, 0)
  run.budget.took(500)
  run.clock.now += 20_000
  run.budget.end(true)
  run.budget.begin({ alone: 200, analyses: 20_000, plain: 200, toStart: 0 }, 0)
  expect([run.budget.leftMs(), run.budget.fits()]).toEqual([LEAST_MS, true])
})

test('what the tests are known to leave may be used by the first of them', () => {
  expect(suite('3x', { replayMs: 500 }).test(100, 10, 500, 0)).toBe(3)
  expect(suite('3x', { replayMs: 500 }).test(100, 10, 500, 4000)).toBe(8)
})

test('processor time of recorded code is mostly that of recording', () => {
  expect([plainMs(1000, 0), plainMs(1000, 400), plainMs(1000, 1000), plainMs(1000, 2000)]).toEqual([1000, 700, 250, 250])
})

test('a check keeps to the first of its budget and its time', () => {
  const allowed = { timeMs: 60_000, replays: 60, maxFindings: 10, confirm: 3 }
  const after = (budget: string | undefined): number => newBudget(0, { meets: () => true }, 4000, { ...allowed, budget }).deadline
  expect([undefined, '3x', '10s', '1h', '1x', '1s'].map(after)).toEqual([60_000, 8000, 6000, 60_000, 0, 0])
  const said = (budget: string, over = true): string[] => budgetNote({ ms: 4000 }, { timeMs: 60_000, budget }, over)
  expect(said('3x')).toEqual(['The budget of 3x was used up: 4.0 s by the recorded run, 8.0 s after it.'])
  expect([said('3x', false), said('1h')]).toEqual([[], []])
})

test('a check of tests: three quarters of what they took, two seconds and one replay at least, and more where something fails or somebody says so', () => {
  const run = { meets: () => false }
  const allowed = { timeMs: 60_000, replays: 9, maxFindings: 1, confirm: 1, runsTests: true }
  const after = (recordedMs: number, more: object = {}): number => newBudget(0, run, recordedMs, { ...allowed, ...more }).deadline
  expect([after(300), after(20_000), after(200_000)]).toEqual([2000, 15_000, 60_000])
  expect([after(300, { isTimeSaid: true }), after(300, { runsTests: false }), after(20_000, { budget: '3x' })]).toEqual([
    60_000, 60_000, 40_000,
  ])
  const budget = newBudget(0, run, 300, allowed)
  // Two seconds after the start of this process are over.
  expect(mayTry(budget)).toBe(true)
  budget.pace!.took(300)
  expect(mayTry(newBudget(performance.now(), run, 300, allowed))).toBe(true)
  const late = newBudget(performance.now() - 1900, run, 300, allowed)
  late.pace!.took(300)
  expect(mayTry(late)).toBe(false)
  budget.failed!()
  expect([budget.deadline, budget.pace]).toEqual([60_000, undefined])
  expect(budgetNote({ ms: 300 }, allowed, true)[0]).toMatch(
    /^Tests are analysed for three quarters of the time they took recorded \(0\.3 s\)/,
  )
})

test('commands that run tests are recognised', () => {
  const tests = [
    '--test a.js',
    '/p/node_modules/mocha/bin/_mocha a.cjs',
    'node_modules/.bin/ava',
    '--expose-gc ../node_modules/mocha/lib/cli/cli.js',
  ]
  const none = ['app.js', 'node_modules/eslint/bin/eslint.js a.js', 'mocha-like.js node_modules/mocha']
  const answers = (lines: readonly string[]): boolean[] => lines.map((line) => runsTests({ args: line.split(' ') }))
  expect(answers(tests)).toEqual(tests.map(() => true))
  expect(answers(none)).toEqual(none.map(() => false))
})
