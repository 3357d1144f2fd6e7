/** From replays to schedule-sensitive branches: classes, one finding a place, and what is printed. */
import { expect, test } from 'vitest'
import { withBranches } from '../../src/confirm/branch-findings.ts'
import type { Flip } from '../../src/confirm/branches.ts'
import type { Determinism } from '../../src/confirm/determinism.ts'
import { effectOf, type Effect } from '../../src/confirm/effect.ts'
import type { ReplayRun } from '../../src/confirm/run.ts'
import { branchLines } from '../../src/report/branch-text.ts'
import { findingJson } from '../../src/report/finding-json.ts'
import { painter } from '../../src/report/paint.ts'
import { ALIKE, finding, prediction } from '../check/fixture.ts'

const plain: Determinism = { ...ALIKE, outputs: ['ok\n', 'ok\n'] }
const flip = (over: Partial<Flip> = {}): Flip => ({
  task: 'main',
  chain: 'abc',
  kind: 'if',
  site: 'app.js:3:7 f',
  nth: 1,
  recorded: 'true',
  flipped: 'false',
  waits: false,
  ...over,
})
const seen = (effect: Effect, flips: readonly Flip[] = [flip()]) =>
  finding({ status: 'REPRODUCED', failure: undefined, flips, effect, prediction: prediction({ fingerprint: '1111111111111111' }) })
const classes = (...findings: Parameters<typeof withBranches>[0]): string[] =>
  withBranches(findings, plain).flatMap((f) => (f.branchClass ? [`${f.prediction.branch!.site} ${f.branchClass.class}`] : []))

test('a branch that another schedule flipped on its way becomes a finding, with that schedule', () => {
  const [first, derived, ...more] = withBranches([seen('same')], plain)
  expect(more).toEqual([])
  expect(first!.prediction.branch).toBeUndefined()
  expect(derived!.prediction).toMatchObject({
    kind: 'branch',
    branch: { site: 'app.js:3:7 f', flipped: 'false' },
    schedule: first!.prediction.schedule,
  })
  expect(derived!.prediction.fingerprint).not.toBe(first!.prediction.fingerprint)
})

test('a branch is harmful, benign, synchronization or unclear by what its flip does', () => {
  expect(classes(seen('failed'))).toEqual(['app.js:3:7 f harmful'])
  expect(classes(seen('output'))).toEqual(['app.js:3:7 f harmful'])
  expect(classes(seen('same'))).toEqual(['app.js:3:7 f benign'])
  expect(classes(seen('lines'))).toEqual(['app.js:3:7 f unclear'])
  expect(classes(seen('varies'))).toEqual(['app.js:3:7 f unclear'])
  expect(classes(seen('same', [flip({ kind: 'loop', waits: true })]))).toEqual(['app.js:3:7 f ad hoc synchronization'])
  expect(classes(seen('failed', [flip({ kind: 'loop', waits: true })]))).toEqual(['app.js:3:7 f harmful'])
})

test('the worst of several replays counts, and a place is one finding', () => {
  expect(classes(seen('same'), seen('output'))).toEqual(['app.js:3:7 f harmful'])
  expect(classes(seen('same'), seen('same', [flip({ kind: '&&' })]))).toEqual(['app.js:3:7 f benign', 'app.js:3:7 f benign'])
})

test('its own schedule is shown, with what it saw and can see; one that did not flip it stays what it is', () => {
  const branch = {
    ...flip(),
    saw: { location: 'x', value: '1', site: 'app.js:1:1' },
    sees: { location: 'x', value: '2', site: 'app.js:9:1' },
  }
  const own = finding({
    status: 'REPRODUCED',
    failure: undefined,
    flips: [flip()],
    effect: 'same',
    prediction: prediction({ kind: 'branch', branch }),
  })
  const [a, b] = withBranches([seen('same'), own], plain)
  expect(a!.prediction.branch).toBeUndefined()
  expect(b!.branchClass?.class).toBe('benign')
  expect(b!.prediction.branch!.sees?.value).toBe('2')
  const missed = finding({ status: 'DIVERGED', failure: undefined, effect: 'same', prediction: prediction({ kind: 'branch', branch }) })
  expect(withBranches([missed], plain)[0]!.branchClass).toBeUndefined()
})

test('what a run shows is compared with what plain runs print', () => {
  const run = (stdout: string): ReplayRun => ({
    exit: { code: 0, signal: null, ms: 1 },
    waiting: [],
    notes: [],
    paths: [],
    seen: [],
    violations: [],
    flips: [],
    stopped: undefined,
    stdout,
    stderr: '',
  })
  const reproduced = { result: 'reproduced' } as const
  expect(effectOf(run('ok\n'), reproduced, plain)).toBe('same')
  expect(effectOf(run('other\n'), reproduced, plain)).toBe('output')
  expect(effectOf(run('b\na\n'), reproduced, { ...plain, outputs: ['a\nb\n'] })).toBe('lines')
  expect(effectOf(run('ok\n'), reproduced, { ...plain, outputs: ['ok\n', 'no\n'] })).toBe('varies')
  const failed = { result: 'failed', ordered: true, failure: { how: 'exception', message: 'm', detail: [], shape: 's' } } as const
  expect(effectOf(run('ok\n'), failed, plain)).toBe('failed')
  expect(effectOf(run('ok\n'), failed, { ...plain, shapes: new Set(['s']) })).toBe('varies')
})

test('text: harmful ones first, three lines each, nothing a terminal would act on', () => {
  const evil = '\x1b[2J\u202e'
  const findings = withBranches(
    [seen('same', [flip({ site: `${evil}.js:1:1`, flipped: evil })]), seen('output', [flip({ site: 'b.js:2:1 g' })])],
    plain,
  )
  const lines = branchLines(findings, 100, '/nowhere', painter(false), (id) => id.slice(0, 8))
  expect(lines[0]).toBe('2 branches depend on the schedule: 1 harmful, 1 benign.')
  expect(lines[1]).toMatch(/^ {3}harmful {2}b\.js:2/)
  // eslint-disable-next-line no-control-regex
  expect(lines.join('')).not.toMatch(/[\x00-\x1f\x7f\u202e]/)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100)
  const json = findings.filter((f) => f.branchClass).map((f) => findingJson(f).branch)
  expect(json).toMatchObject([{ class: 'benign' }, { class: 'harmful', why: 'The run that took the other branch printed something else.' }])
})
