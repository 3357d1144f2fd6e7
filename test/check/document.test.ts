/** The document of a check: its sources, its JSON piece by piece, and the file that keeps the last one. */
import { writePieces } from '../../src/base/json-file.ts'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Store } from '../../src/store/store.ts'
import { documentJson } from '../../src/report/finding-json.ts'
import { excerptsOf } from '../../src/report/source-excerpts.ts'
import { ROOT } from '../cli/run.ts'
import { violations } from '../report/schema.ts'
import { document, finding, prediction } from './fixture.ts'

const root = mkdtempSync(join(tmpdir(), 'heddle-document-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const lines = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`)
writeFileSync(join(root, 'app.js'), lines.join('\r\n'))
writeFileSync(join(root, 'long.js'), 'x'.repeat(9000))

test('excerpts: lines around each place, those that touch as one, and nothing of files that are not there', () => {
  const found = excerptsOf(['app.js:2:1 f', 'app.js:8:1', 'app.js:40:7 g', 'app.js:99:1', 'gone.js:1:1', 'no place', 'app.js:40:7 g'], root)
  expect(Object.keys(found)).toEqual(['app.js'])
  expect(found['app.js']!.map(({ from, lines: own }) => [from, own.length])).toEqual([
    [1, 12],
    [36, 9],
  ])
  expect(found['app.js']![1]!.lines[4]).toBe('line 40')
  expect(excerptsOf(['long.js:1:5000'], root)['long.js']![0]!.lines[0]!.length).toBe(400)
})

test('names of files that are names of other things', () => {
  writeFileSync(join(root, '__proto__'), 'one\ntwo')
  expect(Object.entries(excerptsOf(['__proto__:2:1'], root))).toEqual([['__proto__', [{ from: 1, lines: ['one', 'two'] }]]])
})

test('2,000 findings come in pieces, and what they say is nothing a terminal would act on', () => {
  const evil = '</script>\u001b[2J]]>\u202e'
  const many = Array.from({ length: 2000 }, (_, i) => finding({ prediction: prediction({ fingerprint: `f${i}`, summary: evil }) }))
  const pieces = [...documentJson(document(many, {}, root))]
  expect(pieces.length).toBeGreaterThan(2000)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(20_000)
  // eslint-disable-next-line no-control-regex
  expect(pieces.join('').replaceAll('\n', '')).not.toMatch(/[\x00-\x1f\x7f\u202e]/)
  const json = JSON.parse(pieces.join(''))
  expect(json.findings[1999]).toMatchObject({ fingerprint: 'f1999', summary: evil })
  const schema = JSON.parse(readFileSync(join(ROOT, 'docs/finding.schema.json'), 'utf8'))
  expect(violations(schema, { ...json, findings: json.findings.slice(0, 3) })).toEqual([])
})

test('the last document is whole or not there, and not for git', () => {
  const folder = join(root, '.heddle')
  mkdirSync(folder)
  // As an earlier version left it.
  writeFileSync(join(folder, '.gitignore'), 'runs/\nfindings/\nhistory/\n')
  const store = Store.open(root)
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toContain('\nfindings.json\n')
  writePieces(store.document, documentJson(document([finding()])))
  const before = readFileSync(store.document, 'utf8')
  const broken = function* (): Generator<string> {
    yield '{'
    throw new Error('no more')
  }
  expect(() => writePieces(store.document, broken())).toThrow('no more')
  expect(readFileSync(store.document, 'utf8')).toBe(before)
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
