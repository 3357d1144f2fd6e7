/** The source map of an instrumented module says the same as its `column`, for every word. */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { expect, test } from 'vitest'
import { instrument } from '../../src/instrument/instrument.ts'
import { decodeSites } from '../../src/instrument/sites.ts'

const OPTIONS = { file: 'a.js', kind: 'module', stubs: false, detail: false } as const

const SOURCES = {
  'an example': readFileSync(new URL('../../examples/tickets.js', import.meta.url), 'utf8'),
  'odd lines and names':
    "'use strict'\nlet état = { 'ü': 1 };\r\n\n  état.ü += `${état\n.ü}` // x\nexport const f = async () => { await état?.ü?.(1, état.ü) }\n",
}

test.each(Object.entries(SOURCES))('%s', (_name, source) => {
  const result = instrument(source, OPTIONS)
  if ('skipped' in result) throw new Error(result.skipped)
  const map = new SourceMap({ version: 3, sources: ['a.js'], names: [], mappings: result.mappings() } as never)
  for (const [line, text] of result.code.split('\n').entries()) {
    for (const { index } of text.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
      const entry = map.findEntry(line, index) as { originalLine: number; originalColumn: number }
      expect({ line: entry.originalLine, column: entry.originalColumn }).toEqual({
        line,
        column: result.column(line + 1, index + 1) - 1,
      })
    }
  }
})

test('sites are looked up where the module was compiled from', () => {
  const result = instrument('export const read = (o) => o.value', {
    ...OPTIONS,
    original: (line, column) => ({ line: line + 100, column: column + 1000 }),
  })
  if ('skipped' in result) throw new Error(result.skipped)
  expect(decodeSites(result.sites)).toContainEqual({ line: 101, column: 1030, name: 'read' })
})
