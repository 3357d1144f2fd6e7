/** `heddle property`, whole outputs. */
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectRefused, golden, heddle, heddleIn, scratch } from './run.ts'

const dir = scratch()
const file = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text)
  return name
}
const here = (...words: string[]) => heddleIn(dir, 'property', ...words)

const SHOP = `// Of the shop.
property Twice(order o) { default: off
  event pay before call(Order+.pay) target(o)
  pattern: pay(t1) pay(t2)   confirm: failure }
typestate Till(till t) {
  SHUT: open -> OPEN
  OPEN: take -> OPEN, close -> SHUT }
`
const WRONG = `property Twice(order o) {
  event pay before call(Order+.pay) target(p)
  pattern: payy
}
typestate Till() {
  SHUT: open -> OPNE
  OPEN: close -> SHUT
}
`
file('shop.prop', SHOP)
file('wrong.prop', WRONG)

test('alone it says what there is', () => {
  const ran = heddle('property')
  expect(ran.code).toBe(2)
  expect(ran.out).toContain('heddle property check FILE...')
  expect(heddle('help', 'property').out).toBe(ran.out)
  expect(heddle('property', '--help')).toMatchObject({ code: 0, out: ran.out })
  expect(heddle('help', 'property', 'check').out).toBe(heddle('property', 'check', '--help').out)
})

test('check says what is in files', () => {
  expect(here('check', 'shop.prop', file('empty.prop', ''))).toEqual({
    code: 0,
    out: 'shop.prop: 1 property (Twice), 1 typestate (Till)\nempty.prop: nothing is declared\n',
    err: '',
  })
})

test('check says everything that is wrong, and goes on with the next file', () => {
  const ran = here('check', 'wrong.prop', 'nowhere.prop', 'shop.prop')
  expect(ran.code).toBe(2)
  expect(ran.out).toBe('shop.prop: 1 property (Twice), 1 typestate (Till)\n')
  golden('property-check.txt', ran.err)
})

test('list shows every property with its default', () => {
  const lines = here('list', 'shop.prop').out.split('\n')
  const fields = lines.map((line) => line.split(/ {2,}/))
  expect(fields).toContainEqual(['UnsafeIterator(collection c, iterator i)', 'property', 'off', 'violation', 'library/iterators.prop'])
  expect(fields.at(-3)).toEqual(['Twice(order o)', 'property', 'off', 'failure', 'shop.prop'])
  expect(fields.at(-2)).toEqual(['Till(till t)', 'typestate', 'on', 'violation', 'shop.prop'])
  const rows = JSON.parse(here('list', 'shop.prop', '--json').out) as object[]
  expect(rows.length).toBe(lines.length - 1)
  expect(rows.at(-2)).toEqual({
    name: 'Twice',
    kind: 'property',
    parameters: [{ type: 'order', name: 'o' }],
    default: 'off',
    confirm: 'failure',
    source: 'shop.prop',
  })
})

test('format prints, and writes when asked', () => {
  const formatted = here('format', 'shop.prop').out
  golden('property-format.txt', formatted)
  expect(readFileSync(join(dir, 'shop.prop'), 'utf8')).toBe(SHOP)
  file('mine.prop', SHOP)
  symlinkSync('mine.prop', join(dir, 'link.prop'))
  expect(here('format', '--write', 'link.prop')).toEqual({ code: 0, out: 'Wrote link.prop\n', err: '' })
  expect(readFileSync(join(dir, 'mine.prop'), 'utf8')).toBe(formatted)
  expect(lstatSync(join(dir, 'link.prop')).isSymbolicLink()).toBe(true)
  expect(here('format', '--write', 'mine.prop')).toEqual({ code: 0, out: '', err: '' })
})

test('format leaves alone what it cannot keep', () => {
  const text = 'property P() {\n  event a /* why */ before call(f)\n  pattern: a\n}\n'
  const ran = here('format', '--write', file('inside.prop', text))
  expect(ran.err).toMatch(/^heddle: inside\.prop:2:11: Formatting would lose this comment/)
  expect(ran.code).toBe(2)
  expect(readFileSync(join(dir, 'inside.prop'), 'utf8')).toBe(text)
})

test('files that cannot be read are refused', () => {
  expectRefused(here('check', 'nowhere.prop'), /no property file "nowhere\.prop"/)
  expectRefused(here('check', '.'), /it is a directory/)
  expectRefused(here('list', '/dev/zero'), /not a regular file/)
  expectRefused(here('check', file('large.prop', ' '.repeat(1_000_001))), /larger than 1000000 bytes/)
})
