/** docs/property-language.md: what it shows as a property is one, in the layout of the formatter; what it shows as an error is that error. */
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import * as properties from '../../src/property/language.ts'
import { parseProperties } from '../../src/property/parse.ts'
import { bare } from './random-file.ts'

const page = readFileSync('docs/property-language.md', 'utf8')
const blocks = [...page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, info, text]) => ({ info: info!, text: text! }))
const of = (info: string): { text: string }[] => blocks.filter((b) => b.info === info)

test('there are examples, and all of them are looked at', () => {
  expect(new Set(blocks.map((b) => b.info))).toEqual(new Set(['prop', 'js', 'prop wrong', 'text', 'mop']))
  expect(of('prop').length).toBeGreaterThan(3)
})

test.each(of('prop'))('$text', ({ text }) => {
  expect(parseProperties(text).declarations.length).toBeGreaterThan(0)
  expect(properties.formatText(text)).toBe(text)
})

test('what is printed in the manner of MOP is the next example', () => {
  const at = blocks.findIndex((b) => b.info === 'mop')
  expect(properties.formatText(blocks[at]!.text)).toBe(blocks[at + 1]!.text)
})

test('the example in TypeScript is the first example', () => {
  const code = of('js')[0]!.text.replace(/^import .*$/m, '')
  const made = runInThisContext(`(properties) => { ${code}; return unsafeIterator }`) as (p: typeof properties) => properties.Declaration
  expect(bare(made(properties))).toEqual(bare(parseProperties(of('prop')[0]!.text).declarations[0]))
})

test('the example of an error in the documentation is what the parser says', () => {
  expect(() => parseProperties(of('prop wrong')[0]!.text, 'shop.prop')).toThrow(of('text')[0]!.text.trimEnd())
})
