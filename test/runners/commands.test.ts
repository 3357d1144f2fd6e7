/** Command lines of test runners: how they are started with Heddle, and what is left of them for a replay. */
import { expect, test } from 'vitest'
import { commandFor } from '../../src/runners/command.ts'
import { withoutOurFrames } from '../../src/runners/frames.ts'
import { kept } from '../../src/runners/jest/again.ts'
import { flags } from '../../src/runners/node-test/again.ts'
import { PRELOAD, withoutOurs, withOurs } from '../../src/runners/preloading.ts'
import { summaryLines } from '../../src/runners/summary-text.ts'

const launch = (...args: string[]) => ({ node: 'node', args, env: {}, notes: [] })

test('the preload comes by the environment, and after a loader in the command line', () => {
  const plain = commandFor(launch('--test', 'a.test.js'), '/p')
  expect(plain.plan.args).toEqual(['--test', 'a.test.js'])
  expect(plain.plan.env['NODE_OPTIONS']).toContain(`--import=${PRELOAD}`)
  expect(plain.runner).toBe('node:test')
  const typed = commandFor(launch('--import', 'tsx', '--test', 'a.test.ts'), '/p')
  expect(typed.plan.args).toEqual(['--import', 'tsx', '--import', PRELOAD, '--test', 'a.test.ts'])
  const script = commandFor(launch('/p/node_modules/.bin/jest', '--import', 'x'), '/p')
  expect(script.plan.args).toEqual(['/p/node_modules/.bin/jest', '--import', 'x'])
  expect(script.runner).toBe('jest')
  expect(commandFor(launch('node_modules/vitest/vitest.mjs', 'run'), '/p').runner).toBe('vitest')
})

test('time-outs for whole files are left out, and that is said', () => {
  const { plan, notes } = commandFor(launch('--test', '--test-timeout=500', '--test-isolation', 'none', 'a.js'), '/p')
  expect(plan.args).toEqual(['--test', 'a.js'])
  expect(notes).toHaveLength(2)
})

test('what others put into NODE_OPTIONS stays', () => {
  expect(withoutOurs(withOurs('--enable-source-maps'))).toBe('--enable-source-maps')
  expect(withoutOurs(withOurs(undefined))).toBe('')
})

test('a replay has the flags of Node without those of its runner', () => {
  const given = ['--import', 'tsx', '--test', '--test-name-pattern', 'a b', '--test-reporter=spec', '--experimental-test-module-mocks']
  expect(flags([...given, '--import', PRELOAD, `--import=${PRELOAD}`, '--inspect=0', '--max-old-space-size=100'])).toEqual([
    '--import',
    'tsx',
    '--experimental-test-module-mocks',
    '--max-old-space-size=100',
  ])
})

test('a replay has the options of Jest that say how, not which', () => {
  expect(
    kept(['shop', '-t', 'a b', '-c', 'j.js', '--watch', '--projects', 'a', 'b', '--env=jsdom', '--no-cache', '-w', '4', '--coverage']),
  ).toEqual(['-c', 'j.js', '--projects', 'a', 'b', '--env=jsdom', '--no-cache'])
})

test('the lines of a stack that are Heddle go', () => {
  const error = new Error('mine')
  const ours = new URL('../../src/runners/sessions.ts', import.meta.url).href
  error.stack = `Error: mine\n    at test (/p/a.test.js:3:1)\n    at part (${ours}:1:1)\n    at run (node:internal/x:1:1)`
  expect(withoutOurFrames(error).stack).toBe('Error: mine\n    at test (/p/a.test.js:3:1)\n    at run (node:internal/x:1:1)')
  for (const odd of [undefined, 'text', Object.freeze(new Error('frozen'))]) expect(withoutOurFrames(odd)).toBe(odd)
})

test('the end of a run says what was looked at, and what was not and why', () => {
  const notRecorded = ['a', 'a', 'b', 'c', 'd'].map((why) => ({ test: 't', why }))
  expect(
    summaryLines({
      analysed: 1,
      replayed: 0,
      before: 0,
      off: 0,
      cut: 0,
      left: 0,
      unreached: 0,
      notRecorded: [],
      findings: 0,
      notes: [],
      wrong: [],
    }),
  ).toEqual(['Heddle: 1 test analysed, 0 replayed; no failure found.'])
  expect(
    summaryLines({
      analysed: 12,
      replayed: 3,
      before: 0,
      off: 1,
      cut: 0,
      left: 0,
      unreached: 0,
      notRecorded,
      findings: 2,
      notes: ['A note.'],
      wrong: ['A file.'],
    }),
  ).toEqual([
    'Heddle: 12 tests analysed, 3 replayed, 1 off, 5 not recorded (2: a; 1: b; 1: c; 1 more); 2 failures confirmed.',
    '  A file.',
    '  A note.',
  ])
  expect(
    summaryLines({
      analysed: 12,
      replayed: 3,
      before: 7,
      off: 0,
      cut: 4,
      left: 9,
      unreached: 0,
      notRecorded: [],
      findings: 0,
      notes: [],
      wrong: [],
    }),
  ).toEqual([
    'Heddle: 12 tests analysed, 3 replayed, 7 orders not replayed again (same code, --history); no failure found.',
    '  Left for the next run, for lack of time (--budget) or replays (--replays): 4 tests not analysed, 9 orders not replayed.',
  ])
})
