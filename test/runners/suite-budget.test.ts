/** How long the analysis of a run of tests may take, on a clock of our own. */
import { expect, test } from 'vitest'
import { allowanceOf, allowedMs } from '../../src/base/allowance.ts'
import { budgetNote, newBudget } from '../../src/confirm/budget.ts'
import { runsTests } from '../../src/frontends/node/launch.ts'
import { SuiteBudget } from '../../src/runners/suite-budget.ts'

test('a budget is a time or a multiple', () => {
  expect(['90s', '5m', '1h', '3x', '1.5x'].map((text) => allowedMs(allowanceOf(text)!, 1000))).toEqual([
    90_000, 300_000, 3_600_000, 3000, 1500,
  ])
  for (const none of ['', '5', 'x', '0x', '-1s', '5 m', '3X', '1e3s', '5m '] as const) expect(allowanceOf(none)).toBeUndefined()
})

function suite(text: string, before = 0) {
  const clock = { now: 1_000_000 }
  const budget = new SuiteBudget(
    text,
    clock.now - before,
    before,
    () => clock.now,
    () => 1,
  )
  const analyse = (ms: number): Promise<void> => budget.during(async () => void (clock.now += ms))
  return { clock, budget, analyse }
}

test('a time is that of the whole run', async () => {
  const { clock, budget, analyse } = suite('2m', 10_000)
  expect(budget.left()).toBe(110_000)
  await analyse(60_000)
  clock.now += 49_000
  expect(budget.left()).toBe(1000)
  clock.now += 1
  expect(budget.left()).toBeUndefined()
})

test('with a multiple the first 30 seconds are free, and then the analysis keeps to what the tests take', async () => {
  const { clock, budget, analyse } = suite('2x')
  await analyse(20_000)
  expect(budget.left()).toBe(10_000)
  await analyse(10_000)
  expect(budget.left()).toBeUndefined()
  // The tests took 30 s by themselves, as long as the analysis.
  clock.now += 30_000
  expect(budget.left()).toBeUndefined()
  clock.now += 5000
  expect(budget.left()).toBe(5000)
})

test('a check keeps to the first of its budget and its time', () => {
  const allowed = { timeMs: 60_000, replays: 60, maxFindings: 10, confirm: 3 }
  const after = (budget: string | undefined): number => newBudget(0, { meets: () => true }, 4000, { ...allowed, budget }).deadline
  expect([undefined, '3x', '10s', '1h', '1x', '1s'].map(after)).toEqual([60_000, 8000, 6000, 60_000, 0, 0])
  const said = (budget: string, over = true): string[] => budgetNote({ ms: 4000 }, { timeMs: 60_000, budget }, over)
  expect(said('3x')).toEqual(['The budget of 3x was used up: 4.0 s by the recorded run, 8.0 s after it.'])
  expect([said('3x', false), said('1h')]).toEqual([[], []])
})

test('a check of tests: as long as they took, ten seconds at least, and more where something fails or somebody says so', () => {
  const run = { meets: () => false }
  const allowed = { timeMs: 60_000, replays: 1, maxFindings: 1, confirm: 1, runsTests: true }
  const after = (recordedMs: number, more: object = {}): number => newBudget(0, run, recordedMs, { ...allowed, ...more }).deadline
  expect([after(300), after(20_000), after(200_000)]).toEqual([10_000, 20_000, 60_000])
  expect([after(300, { isTimeSaid: true }), after(300, { runsTests: false }), after(20_000, { budget: '3x' })]).toEqual([
    60_000, 60_000, 40_000,
  ])
  const budget = newBudget(0, run, 300, allowed)
  budget.failed!()
  expect(budget.deadline).toBe(60_000)
  expect(budgetNote({ ms: 300 }, allowed, true)[0]).toMatch(/^Tests are analysed for 10 s, or for as long as they took \(0\.3 s\)/)
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
