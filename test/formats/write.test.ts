/** Report files: chosen by extension, written whole, made again from what a check left. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentJson } from '../../src/report/finding-json.ts'
import { readDocument } from '../../src/report/read-document.ts'
import { writeReport, writeReports } from '../../src/report/write.ts'
import { expectRefused, heddleIn, scratch } from '../cli/run.ts'
import { documentWith, everyFinding, evilDocument } from './findings.ts'

const folder = scratch()
const at = (name: string): string => join(folder, name)
const read = (name: string): string => readFileSync(at(name), 'utf8')
const document = documentWith(everyFinding())
const left = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.tmp'))

test('the extension says the format', () => {
  const begins = {
    'a.html': '<!doctype html>',
    'a.sarif': '{"$schema"',
    'a.sarif.json': '{"$schema"',
    'a.XML': '<?xml',
    'a.md': '<!-- heddle -->',
    'a.perfetto.json': '{"displayTimeUnit"',
    'a.json': '{"heddle"',
    'new/folder/a.json': '{"heddle"',
  }
  for (const [name, begin] of Object.entries(begins)) {
    writeReport(document, at(name))
    expect(read(name).slice(0, begin.length)).toBe(begin)
  }
  expect(JSON.parse(read('a.json'))).toEqual(JSON.parse(JSON.stringify(document)))
  expect(left()).toEqual([])
})

test('whole or not at all, and where a link points to', () => {
  writeFileSync(at('old.md'), 'old')
  symlinkSync(at('old.md'), at('link.md'))
  writeReport(document, at('link.md'))
  expect(read('old.md')).toContain('### Heddle')
  mkdirSync(at('folder.md'))
  expect(() => writeReport(document, at('folder.md'))).toThrow(/cannot be written: it is there and is not a file/)
  expect(() => writeReport(document, at('old.md/a.md'))).toThrow(/cannot be written: E/)
  expect(() => writeReport(document, at('report.pdf'))).toThrow(/End it in \.html, \.sarif, \.xml, \.md, \.perfetto\.json or \.json/)
  writeFileSync(at('kept.md'), 'kept')
  expect(() => writeReport({ ...document, findings: [null as never] }, at('kept.md'))).toThrow(TypeError)
  expect(read('kept.md')).toBe('kept')
  expect(writeReports(document, [at('folder.md'), at('second.md')])).toMatchObject({ code: 'report-unwritable' })
  expect(existsSync(at('second.md'))).toBe(true)
  expect(left()).toEqual([])
})

test('heddle report makes them from what the last check left', () => {
  const there = at('project')
  mkdirSync(join(there, '.heddle'), { recursive: true })
  expectRefused(heddleIn(there, 'report', '--to', 'a.md'), /There is no .*findings\.json.*Run `heddle check` in this folder first/)
  writeFileSync(join(there, '.heddle/findings.json'), [...documentJson(document)].join(''))
  const ran = heddleIn(there, 'report', '--to', 'a.md', '--to', 'b.xml')
  expect(ran).toEqual({ code: 0, out: 'Wrote a.md.\nWrote b.xml.\n', err: '' })
  writeReport(document, at('same.md'))
  expect(readFileSync(join(there, 'a.md'), 'utf8')).toBe(read('same.md'))
  expectRefused(heddleIn(there, 'report'), /Say --to FILE/)
  expectRefused(heddleIn(there, 'check', '--report', 'c.pdf', '--', 'node', 'x.js'), /has no known extension/)
})

test('a file that is no result of a check is refused with the place', () => {
  const refuse = (text: string, pattern: RegExp): void => {
    writeFileSync(at('bad.json'), text)
    expect(() => readDocument(at('bad.json'))).toThrow(pattern)
  }
  const good = JSON.parse(JSON.stringify(document)) as Record<string, any>
  refuse('{', /is not JSON/)
  refuse('[]', /has no schema/)
  refuse(JSON.stringify({ ...good, schema: 1 }), /has schema "1", and this Heddle reads schema 3/)
  refuse(JSON.stringify({ ...good, findings: [{ ...good['findings'][0], sites: 'x' }] }), /"findings\[0\]\.sites" is not a list/)
  refuse(JSON.stringify({ ...good, findings: [{ ...good['findings'][0], status: '<b>' }] }), /"findings\[0\]\.status" is not one of FAILED/)
  refuse(JSON.stringify({ ...good, sources: { x: [{ from: '1' }] } }), /"sources\.x\[0\]\.from" is not a whole number/)
  expect(() => readDocument(folder)).toThrow(/EISDIR/)
  writeFileSync(at('good.json'), [...documentJson(evilDocument())].join(''))
  expect(readDocument(at('good.json')).findings).toHaveLength(42)
})

test('a check that cannot be done deletes nothing', () => {
  writeFileSync(at('stale.xml'), 'all is well')
  expectRefused(heddleIn(folder, 'check', '--report', 'stale.xml', '--', 'no-such-program'), /no-such-program/)
  expect(readFileSync(at('stale.xml'), 'utf8')).toBe('all is well')
})
