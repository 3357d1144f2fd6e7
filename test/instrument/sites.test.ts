/** Where a hook says it stands, and which column of the source a stack trace means. */
import { expect, test } from 'vitest'
import { instrument } from '../../src/instrument/instrument.ts'
import { decodeSites, lineStartsOf, SiteTable } from '../../src/instrument/sites.ts'

function rewrite(source: string) {
  const result = instrument(source, { file: 'a.js', kind: 'commonjs', stubs: false, detail: false })
  if ('skipped' in result) throw new Error(result.skipped)
  return result
}

test('sites come back as they were put in', () => {
  const source = Array.from({ length: 300 }, (_, i) => 'x'.repeat((i * 37) % 400)).join('\n')
  const table = new SiteTable(lineStartsOf(source))
  const offsets = Array.from({ length: 1000 }, (_, i) => (i * 7919) % source.length)
  for (const [i, offset] of offsets.entries()) expect(table.add(offset, `f${i % 40}`)).toBe(i)
  const sites = decodeSites(table.encode())
  expect(sites.length).toBe(1000)
  for (const [i, { line, column, name }] of sites.entries()) {
    const before = source.slice(0, offsets[i]!).split('\n')
    expect({ line, column, name }).toEqual({ line: before.length, column: before[before.length - 1]!.length + 1, name: `f${i % 40}` })
  }
})

test('sites name the function and variables their own name', () => {
  const { sites } = rewrite(
    'let n = 0\nclass Q { take() { return this.x } #p = () => this.y; static { this.z } constructor() { this.w = 1 } }\n' +
      'const f = () => n++, o = { g() { a.b }, h: function () { a.c } }\nexports.k = function () { a.d }\na.e',
  )
  expect(decodeSites(sites).map(({ line, column, name }) => `${line}:${column} ${name}`)).toMatchInlineSnapshot(`
    [
      "1:5 n",
      "1:5 ",
      "2:32 Q.take",
      "2:52 Q.#p",
      "2:69 Q.<static>",
      "2:94 new Q",
      "3:17 f",
      "3:36 g",
      "3:60 h",
      "4:9 ",
      "4:29 k",
      "5:3 ",
    ]
  `)
})

test('lines end where the engine says they end', () => {
  expect(lineStartsOf('a\nb\r\nc\rd\u2028e')).toEqual([0, 2, 5, 7, 9])
})

test('columns of the code are columns of the source', () => {
  const source = 'let n = 0; const f = () => n++; a.b.c; throw1()\n\n  x.y = f(); o.m.set(k, v); throw2()\nthrow3(a.b)\na.throw4(n)'
  const { code, column } = rewrite(source)
  const lines = code.split('\n')
  const originals = source.split('\n')
  for (const [line, word] of [
    [1, 'throw1'],
    [1, 'const f'],
    [3, 'x.y'],
    [3, 'throw2'],
    [3, 'v'],
    [4, 'throw3'],
    [5, 'throw4'],
  ] as const) {
    expect(column(line, lines[line - 1]!.lastIndexOf(word) + 1), word).toBe(originals[line - 1]!.lastIndexOf(word) + 1)
  }
  expect(column(99, 5)).toBe(5)
  for (let i = 1; i < 400; i++) expect(column(3, i)).toBeLessThanOrEqual(originals[2]!.length + 1)
})
