/** Any text gives declarations or an error with a position, in time linear in the text. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { HeddleError } from '../../src/errors.ts'
import { checkDeclarations } from '../../src/property/check-declarations.ts'
import { formatPattern } from '../../src/property/format-terms.ts'
import { normalForm } from '../../src/property/normal.ts'
import { format, formatText } from '../../src/property/format.ts'
import { parseProperties, readText } from '../../src/property/parse.ts'
import { bare, RandomFile } from './random-file.ts'
import { SAMPLES } from './samples.ts'

/** Reading looks at each piece of the text a few times. */
const STEPS_PER_LETTER = 30

function withstands(text: string): boolean {
  expect(readText(text, 'f').steps).toBeLessThanOrEqual(STEPS_PER_LETTER * (text.length + 1))
  try {
    const file = parseProperties(text, 'f')
    const again = format(file)
    expect(bare(parseProperties(again))).toEqual(bare(file))
    expect(format(parseProperties(again))).toBe(again)
    return true
  } catch (error) {
    expect(error, text).toBeInstanceOf(HeddleError)
    return false
  }
}

test('random declarations read back as they were written', () => {
  const random = new Random(5)
  const make = new RandomFile(random)
  for (let round = 0; round < 3000; round++) {
    const file = make.file()
    const text = format(file)
    const read = readText(text, 'f')
    expect(read.faults, text).toEqual([])
    expect(bare(read.file), text).toEqual(bare(file))
    expect(format(read.file)).toBe(text)
  }
})

test('a pattern without a fault can be worked out, or is too large', () => {
  const random = new Random(11)
  const make = new RandomFile(random)
  const events = ['a', 'b'].map((name) => `event ${name} before call(f)`).join('\n')
  let good = 0
  for (let round = 0; round < 6000; round++) {
    const text = formatPattern(make.pattern(3)).replaceAll(/\b\w+\(|[$\p{L}_][\p{L}\w]*/gu, (w) =>
      w.endsWith('(') ? w : random.pick(['a', 'b']),
    )
    const { declarations } = readText(`property P() {\n${events}\npattern: ${text}\n}`, 'f').file
    if (declarations.length === 0 || checkDeclarations(declarations, () => undefined).length > 0) continue
    good++
    const [property] = declarations
    try {
      if (property?.kind === 'property') expect(normalForm(property, property.pattern).length).toBeGreaterThan(0)
    } catch (error) {
      expect((error as Error).message, text).toMatch(/alternatives|needs more than/)
    }
  }
  expect(good).toBeGreaterThan(500)
})

test('random bytes never crash the parser', () => {
  const random = new Random(6)
  for (let round = 0; round < 1000; round++)
    withstands(Buffer.from(Uint8Array.from({ length: random.below(200) }, () => random.below(256))).toString('latin1'))
})

test('random pieces of the language', () => {
  const random = new Random(7)
  const pieces =
    'property typestate event says before after answered call( emit( get( set( ( ) { } | || & && ! ? * + , : .. -> < > == != "x" "{a}" "\' 1 -2e9 null a b c t1 A.b A+.b pattern: shown: confirm: default: violation off args( target( returns( throws if( contains // /* */ \n'.split(
      ' ',
    )
  const starts = [
    '',
    'property P(a) {',
    'property P(a) { event a after call(x) target(a) pattern: ',
    'typestate T(a) { S: ',
    'property P() { event a after ',
  ]
  let good = 0
  for (let round = 0; round < 5000; round++) {
    const soup = Array.from({ length: random.below(30) }, () => random.pick(pieces)).join(random.chance(0.8) ? ' ' : '')
    if (withstands(random.pick(starts) + soup + random.pick(['', '}', ')}']))) good++
  }
  expect(good).toBeGreaterThan(20)
})

test('valid files with a few letters changed, cut or moved', () => {
  const random = new Random(8)
  const files = [...SAMPLES.map((s) => s.text), SAMPLES.map((s) => s.text).join('\n'), readFileSync('library/iterators.prop', 'utf8')]
  for (let round = 0; round < 4000; round++) {
    let text = random.pick(files)
    for (let k = 0; k <= random.below(4); k++) {
      const [at, length] = [random.below(text.length + 1), random.below(12)]
      const other = random.pick(files)
      const piece = random.pick([
        '',
        String.fromCharCode(random.below(128)),
        other.slice(random.below(other.length)).slice(0, random.below(30)),
      ])
      text = text.slice(0, at) + piece + text.slice(at + length)
    }
    if (withstands(text)) withstandsFormatting(text)
  }
})

/** With comments: formatted once is formatted, and nothing is lost; or it is refused. */
function withstandsFormatting(text: string): void {
  let once: string
  try {
    once = formatText(text)
  } catch (error) {
    expect(error).toBeInstanceOf(HeddleError)
    return
  }
  expect(formatText(once), text).toBe(once)
  expect(bare(parseProperties(once))).toEqual(bare(parseProperties(text)))
}

test('comments anywhere: kept or refused, never lost', () => {
  const random = new Random(9)
  const words = (text: string): string =>
    [...text.matchAll(/note\d+/g)]
      .map(([w]) => w)
      .sort()
      .join(' ')
  let kept = 0
  for (let round = 0; round < 3000; round++) {
    let text = random.pick(SAMPLES).text
    const count = 1 + random.below(3)
    for (let k = 0; k < count; k++) {
      const lines = text.split('\n')
      const at = random.below(lines.length)
      const note = random.pick([`// note${k}`, `/* note${k} */`, `/* note${k}\n   more\n*/`])
      if (random.chance(0.5)) lines.splice(at, 0, random.chance(0.5) ? `   ${note}` : note, ...(random.chance(0.3) ? [''] : []))
      else if (random.chance(0.7)) lines[at] += ` ${note}`
      else lines[at] = lines[at]!.replace(' ', ` ${note} `)
      text = lines.join('\n')
    }
    let once: string
    try {
      once = formatText(text)
    } catch (error) {
      expect(error).toBeInstanceOf(HeddleError)
      continue
    }
    kept++
    expect(words(once), text).toBe(words(text))
    expect(formatText(once), text).toBe(once)
  }
  expect(kept).toBeGreaterThan(1000)
})

const wrapped = (pattern: string): string => `property P() {\n  event a before call(x)\n  pattern: ${pattern}\n}\n`

test.each<[string, string, RegExp | undefined]>([
  ['100 parentheses', wrapped(`${'('.repeat(100)}a${')'.repeat(100)}`), undefined],
  ['101 parentheses', wrapped(`${'('.repeat(101)}a${')'.repeat(101)}`), /nested more than 100 deep/],
  ['300000 parentheses', wrapped('('.repeat(300_000)), /nested more than 100 deep/],
  ['90 stars', wrapped(`a a${'*'.repeat(90)}`), undefined],
  ['300000 stars', wrapped(`a${'*'.repeat(300_000)}`), /nested more than 100 deep/],
  ['stars in stars', wrapped(`${'('.repeat(50)}a${'+)+'.repeat(50)}`), /nested more than 100 deep/],
  ['300000 nots', wrapped(`${'!'.repeat(300_000)}a`), /nested more than 100 deep/],
  ['9000 events', wrapped('a '.repeat(9000)), undefined],
  ['300000 events', wrapped('a '.repeat(300_000)), /more than 10000 parts/],
  [
    'conditions, one after the other',
    `property P() { event a before call(x) if(${'1 == 1 && '.repeat(50_000)}1 == 1) pattern: a }`,
    /nested more/,
  ],
  ['conditions, one in the other', `property P() { event a before call(x) if(${'('.repeat(50_000)}`, /nested more/],
  ['1001 event lines', `property P() {\n${'event a before call(x)\n'.repeat(1001)}`, /More than 1000 events/],
  ['a megabyte and more', ' '.repeat(1_000_001), /larger than 1000000 bytes/],
  ['a megabyte of comments', '/**/'.repeat(249_000), undefined],
  ['a comment without an end', `/*${' x'.repeat(400_000)}`, /comment is not closed/],
  ['only heads', 'property\n'.repeat(100_000), /Expected|word of the language/],
  ['nothing but unknown events', wrapped(Array.from({ length: 9000 }, (_, i) => `event${i}`).join(' ')), /There is no event/],
  ['nothing but regions', wrapped(Array.from({ length: 9000 }, (_, i) => `a(<r${i % 2500})`).join(' ')), /begun or ended twice/],
  ['100000 arguments', `property P() { event a before call(x) args(${'b, '.repeat(100_000)}c) pattern: a }`, /"c" is no parameter/],
  ['many states', `typestate T(a) { ${Array.from({ length: 40_000 }, (_, i) => `S${i}: o${i} -> Q${i}`).join(' ')} }`, /There is no state/],
  [
    'many parameters',
    `property P(${Array.from({ length: 90_000 }, (_, i) => `p${i}`).join(', ')}) { event a before call(x) pattern: a }`,
    /No event/,
  ],
  ['a long name', wrapped('x'.repeat(900_000)), /There is no event/],
])('hostile: %s', (_, text, pattern) => {
  expect(readText(text, 'f').steps).toBeLessThanOrEqual(STEPS_PER_LETTER * (text.length + 1))
  if (!pattern) return expect(format(parseProperties(text, 'f'))).toBeTypeOf('string')
  expect(() => parseProperties(text, 'f')).toThrow(HeddleError)
  expect(() => parseProperties(text, 'f')).toThrow(pattern)
  try {
    parseProperties(text, 'f')
  } catch (error) {
    expect((error as Error).message.length).toBeLessThan(20_000)
  }
})
