/** What is counted adds up, and is the same in every format; what is said of it is true. */
import { describe, expect, test } from 'vitest'
import type { CheckResult } from '../../src/check.ts'
import { onePerFailure } from '../../src/confirm/group.ts'
import type { Finding } from '../../src/confirm/confirm.ts'
import { documentJson } from '../../src/report/finding-json.ts'
import { checkText } from '../../src/report/finding-text.ts'
import { githubAnnotations } from '../../src/report/github.ts'
import { htmlReport } from '../../src/report/html/page.ts'
import { junitReport } from '../../src/report/junit.ts'
import { markdownReport } from '../../src/report/markdown.ts'
import { sarifReport } from '../../src/report/sarif.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import { checked, coverageOf, document as documentOf, finding, prediction, TURNS } from '../check/fixture.ts'

const document = (findings: readonly Finding<Saved>[], over: Partial<CheckResult> = {}) => documentOf(onePerFailure(findings), over)
const OPTIONS = { width: 120, colour: false, root: '/nowhere', verbose: false }
const failing = (fingerprint: string, shape: string, over: Partial<Saved> = {}): Finding<Saved> =>
  finding({
    prediction: prediction({ fingerprint, ...over }),
    failure: { how: 'exception', message: `Error: ${shape}`, detail: [], shape: `exception: ${shape}` },
  })
const other = (fingerprint: string, status: Finding<Saved>['status']): Finding<Saved> =>
  finding({ prediction: prediction({ fingerprint }), status, failure: undefined, replays: { runs: 1, failures: 0 } })

/** Two failures, one by three orders and one by two; and three that did not fail. */
const FINDINGS = [
  failing('a1', 'sold twice'),
  failing('b1', 'empty'),
  other('c1', 'REPRODUCED'),
  failing('a2', 'sold twice', {
    kind: 'property',
    pattern: 'SoldOnce',
    property: { name: 'SoldOnce', text: '', confirm: 'failure', binding: {} },
  }),
  other('c2', 'PREDICTED'),
  failing('a3', 'sold twice'),
  failing('b2', 'empty'),
  other('c3', 'PREDICTED'),
]

const joined = (pieces: Iterable<string>): string => [...pieces].join('')
const times = (text: string, what: RegExp): number => text.match(what)?.length ?? 0

test('one document has the same numbers in every format', () => {
  const made = document(FINDINGS)
  const text = joined(checkText(checked(FINDINGS), OPTIONS))
  const json = JSON.parse(joined(documentJson(made)))
  const junit = joined(junitReport(made))
  const sarif = JSON.parse(joined(sarifReport(made))).runs[0]
  const markdown = joined(markdownReport(made))
  const html = joined(htmlReport(made))
  const entries = JSON.parse(/id="entries">(.*?)<\/script>/s.exec(html)![1]!) as { status: string }[]

  const failures = 2
  const all = 5
  expect(text).toContain('2 failures confirmed')
  expect(times(text, /^\d+\. FAILED/gm)).toBe(failures)
  expect(json.findings.filter((f: { status: string }) => f.status === 'FAILED')).toHaveLength(failures)
  expect(json.findings).toHaveLength(all)
  expect(/<testsuite [^>]*tests="(\d+)" failures="(\d+)"/.exec(junit)!.slice(1)).toEqual([String(all), String(failures)])
  expect(times(junit, /<failure /g)).toBe(failures)
  expect(junit).toContain('2 failures confirmed.')
  expect(sarif.results).toHaveLength(all)
  expect(sarif.results.filter((r: { level: string }) => r.level === 'error')).toHaveLength(failures)
  expect(sarif.invocations[0].exitCode).toBe(1)
  expect(markdown).toContain('### Heddle: 2 failures confirmed')
  expect(times(markdown, /^\| FAILED /gm)).toBe(failures)
  expect(entries).toHaveLength(all)
  expect(entries.filter((e) => e.status === 'FAILED')).toHaveLength(failures)
  expect(times(joined(githubAnnotations(made)), /^::error/gm)).toBe(failures)
})

test('what needs too long a delay says so in every format, and fails no build', () => {
  const note = 'It needs a delay of 31 s, longer than the time-out of 30 s at a.js:3.'
  const found = [{ ...failing('d1', 'timed out'), status: 'NEEDS DELAY' as const, note }]
  const made = document(found)
  const sarif = JSON.parse(joined(sarifReport(made))).runs[0]
  const json = JSON.parse(joined(documentJson(made)))
  const junit = joined(junitReport(made))
  const html = JSON.parse(/id="entries">(.*?)<\/script>/s.exec(joined(htmlReport(made)))![1]!)[0]
  for (const text of [joined(checkText(checked(found), OPTIONS)), junit, joined(markdownReport(made))]) {
    expect(text).toContain('NEEDS DELAY')
    expect(text).toContain('longer than the time-out of 30 s')
  }
  expect(json.findings[0]).toMatchObject({ status: 'NEEDS DELAY', note })
  expect(sarif.results[0]).toMatchObject({ level: 'note', properties: { status: 'NEEDS DELAY' } })
  expect(JSON.stringify(sarif.results[0])).toContain('longer than the time-out of 30 s')
  expect(sarif.invocations[0].exitCode).toBe(0)
  expect(times(junit, /<failure /g)).toBe(0)
  expect(html.status).toBe('NEEDS DELAY')
  expect(joined(githubAnnotations(made))).not.toContain('::error')
})

describe('findings of one failure', () => {
  test('are one finding, the one that explains it best, and it lists the others', () => {
    const [first, second, ...rest] = document(FINDINGS).findings
    expect(first).toMatchObject({ fingerprint: 'a2', pattern: 'SoldOnce', label: 'SoldOnce' })
    expect(first!.also!.map((one) => [one.fingerprint, one.label, one.kind])).toEqual([
      ['a1', 'check-then-act', 'atomicity'],
      ['a3', 'check-then-act', 'atomicity'],
    ])
    expect([second!.fingerprint, second!.also!.map((one) => one.fingerprint)]).toEqual(['b1', ['b2']])
    expect(rest.map((one) => [one.fingerprint, one.also])).toEqual(['c1', 'c2', 'c3'].map((id) => [id, undefined]))
    expect(joined(checkText(checked(FINDINGS), OPTIONS))).toContain('2 other orders fail in the same way: a1 a3')
  })

  test('a hang is explained by a deadlock', () => {
    const hang = (fingerprint: string, over: Partial<Saved>): Finding<Saved> =>
      finding({ prediction: prediction({ fingerprint, ...over }), failure: { how: 'hang', message: 'x', detail: [], shape: 'hang: x' } })
    const found = onePerFailure([hang('a', {}), hang('b', { kind: 'deadlock', pattern: 'deadlock' })])
    expect(found.map((f) => [f.prediction.fingerprint, f.also?.length])).toEqual([['b', 1]])
  })
})

describe('a program that varies by itself', () => {
  const flaky = { ...checked([]).determinism, runs: 2, failed: 1, differed: ['it ended with exit code 1'] }
  const said = (findings: readonly Finding<Saved>[], determinism = flaky): string[] => {
    const made = document(findings, { determinism })
    return [
      joined(checkText(checked(findings, { determinism }), { ...OPTIONS, width: 1000 })).replaceAll(/\n/g, ' '),
      joined(junitReport(made)),
      joined(sarifReport(made)),
      joined(markdownReport(made)),
    ]
  }

  test('"nothing is called FAILED" is said only where nothing is', () => {
    for (const text of said(FINDINGS)) {
      expect(text).toContain('Without any delay it failed in 1 of 2 runs: it ended with exit code 1.')
      expect(text).not.toContain('nothing is called FAILED')
    }
    for (const text of said([other('c1', 'REPRODUCED')])) {
      expect(text).toContain('Without any delay it failed in 1 of 2 runs')
      expect(text).toContain('So nothing is called FAILED.')
    }
  })

  test('one that ends differently without failing', () => {
    const slow = { ...flaky, failed: 0, differed: ['it had not ended after 10 s'] }
    for (const text of said([], slow))
      expect(text).toContain('Run again without any delay, it ended differently: it had not ended after 10 s.')
  })
})

describe('how much was looked at', () => {
  const line = (...rows: Parameters<typeof coverageOf>): string => document([], { coverage: coverageOf(...rows) }).lookedAt

  test('parts are those of the whole', () => {
    expect(
      line({
        ...TURNS,
        candidates: 1531,
        infeasible: { 'must-order': 1400, 'after its post': 80 },
        feasible: { played: 38 },
        grouped: 10,
        unknown: { 'orders tried': 3 },
      }),
    ).toContain(
      '; 1,531 pairs: 1,480 impossible, 38 predicted, 10 of a cause already predicted, 3 undecided; 31 replays (2 without delays).',
    )
  })

  test('what was not counted to the end is "at least"', () => {
    expect(line({ predictor: 'turns', candidates: 5, notLookedAt: { time: 3, history: 2 }, atLeast: true })).toContain(
      '; at least 5 pairs: 2 tried before without success, 3 not looked at; ',
    )
  })

  test('a program with threads is not said to have one', () => {
    const threads = (facts: Record<string, number>): string => line({ predictor: 'threads', facts })
    expect(line()).toBe('Looked at: the program has one thread, so there is no other order to try.')
    expect(threads({ threads: 1, active: 1, started: 0 })).toBe(line())
    expect(threads({ threads: 1, active: 1, started: 2 })).toBe(
      'Looked at: 2 threads were started, and the program ended before they did anything, so there is no other order to try.',
    )
    expect(threads({ threads: 2, active: 1, started: 1, joined: 1 })).toBe(
      'Looked at: 1 thread was started, and it did nothing that another thread sees, so there is no other order to try.',
    )
  })

  test('counts that do not add up are refused', () => {
    expect(() => line({ ...TURNS, candidates: 25, infeasible: { locks: 28 } })).toThrow('coverage of turns does not add up')
  })
})
