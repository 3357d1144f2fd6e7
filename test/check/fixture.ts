/** A prediction and a result as the parts of a check hand them on, for tests that need no program. */
import type { OrderRow } from '../../src/schedule/order.ts'
import type { CheckResult } from '../../src/check.ts'
import { Coverage, type Predictor, type SavedRow } from '../../src/coverage.ts'
import { Store } from '../../src/store/store.ts'
import type { Finding } from '../../src/confirm/confirm.ts'
import type { Determinism } from '../../src/confirm/determinism.ts'
import { onePerFailure } from '../../src/confirm/group.ts'
import { documentOf, type CheckDocument } from '../../src/report/document.ts'
import type { Saved } from '../../src/schedule/saved.ts'

const step = (chain: string, name: string, access: 'read' | 'write', site: string, offLoop = false): OrderRow => ({
  turn: { label: `label-${chain}`, nth: 1 },
  name,
  chain,
  offLoop,
  posted: `${site} < shop.js:17:3 main`,
  at: 20,
  accesses: [{ access, location: 'file:/tmp/tickets-x1/left.json', site }],
})

const annReads = step('ann', 'fs.readFile', 'read', 'shop.js:11:35 buy', true)
const annWrites = step('ann', 'fs.writeFile', 'write', 'shop.js:13:9 buy', true)
const bobReads = step('bob', 'timer 20 ms', 'read', 'shop.js:11:35 buy', true)

export const prediction = (over: Partial<Saved> = {}): Saved => ({
  fingerprint: '3f9a12c4deadbeef',
  kind: 'atomicity',
  pattern: 'check-then-act',
  summary: 'bob can read left.json after ann has read it and before ann has written it.',
  sites: ['shop.js:11:35 buy', 'shop.js:13:9 buy'],
  locations: ['file:/tmp/tickets-x1/left.json'],
  observed: [annReads, annWrites, bobReads],
  failing: [annReads, bobReads, annWrites],
  why: ['The disk may take longer than a timer of 20 ms.', 'Nothing makes bob wait for ann.'],
  count: 2,
  schedule: {
    heddle: 2,
    command: ['node', 'shop.js'],
    timers: 'due',
    kind: 'delays',
    delays: [
      {
        do: 'hold',
        what: { label: 'label-ann', nth: 1 },
        at: 'start',
        until: { label: 'label-bob', nth: 1 },
        note: 'hold fs.writeFile (shop.js:13) until fs.readFile (shop.js:11) has called back',
      },
    ],
    horizon: 25,
    // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
    expect: { first: { label: 'label-bob', nth: 1 }, then: { label: 'label-ann', nth: 1 } },
  },
  ...over,
})

export const finding = (over: Partial<Finding<Saved>> = {}): Finding<Saved> => ({
  prediction: prediction(),
  status: 'FAILED',
  replays: { runs: 3, failures: 3 },
  ordered: true,
  failure: {
    how: 'exception',
    message: 'Error: The last ticket was sold to ann and to bob',
    detail: ['at buy (shop.js:19:43)', 'at main (shop.js:17:3)'],
    shape: 'exception: Error: The last ticket was sold to ann and to bob',
  },
  note: undefined,
  earlier: false,
  ...over,
})

/** Rows as a check counts them; those that are left out are empty. */
export function coverageOf(...rows: (Partial<SavedRow> & { readonly predictor: Predictor })[]): Coverage {
  const coverage = new Coverage()
  for (const row of rows)
    coverage.row(row.predictor).add({
      facts: {},
      causes: 0,
      candidates: 0,
      feasible: {},
      infeasible: {},
      unknown: {},
      grouped: 0,
      notLookedAt: {},
      atLeast: false,
      ...row,
    })
  coverage.assertAddsUp()
  return coverage
}

export const TURNS = {
  predictor: 'turns',
  facts: { turns: 214, operations: 90, accesses: 3402, locations: 40 },
  causes: 12,
  candidates: 57,
  feasible: { played: 4 },
  infeasible: { 'must-order': 18, 'after its post': 20 },
  unknown: { 'orders tried': 3 },
  grouped: 12,
} as const

/** Two plain runs, like the recorded one. */
export const ALIKE: Determinism = {
  runs: 2,
  failed: 0,
  differed: [],
  shapes: new Set(),
  violations: new Set(),
  outputs: [],
  flips: [],
  apart: 0,
  wentApart: [],
}

export const result = (findings: readonly Finding<Saved>[], over: Partial<CheckResult> = {}): CheckResult => ({
  recording: {
    frontEnd: 'node',
    command: ['node', 'shop.js'],
    folder: '/tmp/run',
    trace: '/tmp/run/trace.heddle',
    timers: 'due',
    include: [],
    exclude: [],
    ms: 120,
    stopped: false,
    stdio: ['quiet', 'pipe', 'pipe'],
    input: undefined,
    observed: {
      runtime: 'node v20.19.0',
      modules: ['shop.js'],
      skipped: [
        { file: 'a.min.js', why: 'larger than 1 MB' },
        { file: 'b.js', why: 'cannot be parsed: line 3' },
        { file: 'c.js', why: 'cannot be parsed: line 4' },
      ],
      skippedPercent: 61,
      events: 4000,
    },
    notes: [],
  },
  store: Store.look('/nowhere'),
  findings,
  coverage: coverageOf(TURNS),
  determinism: ALIKE,
  replays: 31,
  leftOut: 0,
  notes: ['1 child process was left alone.'],
  seconds: 4.25,
  interrupted: false,
  ...over,
})

/** As a check gives it: findings of one failure are one. */
export const checked = (findings: readonly Finding<Saved>[], over: Partial<CheckResult> = {}): CheckResult =>
  result(onePerFailure(findings), over)

export const document = (findings: readonly Finding<Saved>[], over: Partial<CheckResult> = {}, root = '/nowhere'): CheckDocument =>
  documentOf(result(findings, over), {
    version: '0.1.0',
    root,
    started: new Date(0),
    budgets: { time: 60, replays: 60, maxFindings: 10, confirm: 3 },
  })
