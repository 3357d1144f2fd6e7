/** The documents of tests become one, by the schema, that every report can be made from. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { gatherDocuments, keepDocument } from '../../src/runners/document.ts'
import { documentJson } from '../../src/report/finding-json.ts'
import { ROOT } from '../cli/run.ts'
import { document, finding, prediction } from '../check/fixture.ts'
import { violations } from '../report/schema.ts'
import { totalsOf } from '../adds-up.ts'

const root = mkdtempSync(join(tmpdir(), 'heddle-gather-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const summary = {
  analysed: 3,
  replayed: 2,
  before: 0,
  off: 0,
  cut: 0,
  left: 0,
  unreached: 0,
  notRecorded: [],
  findings: 1,
  notes: ['"c" varies.'],
  wrong: [],
}
const settings = { time: 20, replays: 30, maxFindings: 1, confirm: 3, timers: 'due' as const }
const gather = (runs: string) => gatherDocuments({ runs, root, command: ['jest'], summary, version: '0.1.0', settings })
const schema = JSON.parse(readFileSync(join(ROOT, 'docs/finding.schema.json'), 'utf8'))
const wrong = (made: ReturnType<typeof gather>) => violations(schema, JSON.parse([...documentJson(made)].join('')))

test('findings of all tests, one for each fingerprint, with the name of the test; counts are sums', () => {
  const runs = join(root, 'runs')
  const of = (name: string, fingerprint: string, status: 'FAILED' | 'REPRODUCED') =>
    finding({ status, prediction: prediction({ fingerprint, test: { file: join(root, 'a.test.js'), name, process: 'top' } }) })
  const one = document([of('a', 'f1', 'REPRODUCED')], {}, root)
  keepDocument(runs, '1', one)
  keepDocument(runs, '2', document([of('b', 'f1', 'FAILED'), of('b', 'f2', 'REPRODUCED')], {}, root))
  const made = gather(runs)
  expect(made.findings.map((f) => [f.fingerprint, f.status, f.test])).toEqual([
    ['f1', 'FAILED', { file: 'a.test.js', name: 'b' }],
    ['f2', 'REPRODUCED', { file: 'a.test.js', name: 'b' }],
  ])
  expect(totalsOf(made.coverage).candidates).toBe(2 * totalsOf(one.coverage).candidates)
  expect([made.command, made.notes.at(-1), made.lookedAt]).toEqual([
    ['jest'],
    '"c" varies.',
    '3 tests analysed, 2 replayed; one failure confirmed.',
  ])
  expect(wrong(made)).toEqual([])
  expect(JSON.parse(readFileSync(join(root, '.heddle/findings.json'), 'utf8')).findings.length).toBe(2)
  // In watch mode the next run begins with none.
  expect(gather(runs).findings).toEqual([])
})

test('a run in which nothing was replayed has a document, too', () => {
  const made = gather(join(root, 'none'))
  expect([made.findings, wrong(made)]).toEqual([[], []])
})
