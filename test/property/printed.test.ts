/** Properties as seed 003 prints them are read as what they are in the language; what cannot be read is said, with its place. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { HeddleError } from '../../src/errors.ts'
import { PropertyError } from '../../src/property/faults.ts'
import { format, formatText } from '../../src/property/format.ts'
import { parseProperties, readText } from '../../src/property/parse.ts'
import { PRINTED } from './printed.ts'
import { bare } from './random-file.ts'

describe('the properties of the paper', () => {
  test.each(PRINTED)('figure $figure', ({ printed, text }) => {
    expect(format(parseProperties(printed))).toBe(text)
    expect(bare(parseProperties(printed))).toEqual(bare(parseProperties(text)))
  })

  test('all in one file, beside one of the language itself', () => {
    const own = PRINTED[0]!.text.replace('UnsafeIterator', 'Another')
    const { declarations } = parseProperties([...PRINTED.map(({ printed }) => printed), own].join('\n'))
    expect(declarations).toHaveLength(PRINTED.length + 1)
  })

  test('formatting makes them properties of the language, and keeps comments', () => {
    const text = `// Before.\n${PRINTED[2]!.printed.replace('target(o);\n', 'target(o); // reads\n')} // after\n`
    expect(formatText(text)).toBe(
      `// Before.\n${PRINTED[2]!.text.replace('target(o)\n', 'target(o) // reads\n').replace(/\}\n$/, '} // after\n')}`,
    )
  })
})

/** The first event of a property with parameters Map m and Object key. */
const event = (advice: string): string => {
  const rest = 'event all before(Map m, Object key): call(* *.*(..)) && target(m) && args(key, ..) pattern: e all'
  const written = format(parseProperties(`P(Map m, Object key) {\n  event e ${advice}\n  ${rest}\n}`))
  return /event e +(.*)/.exec(written)![1]!.replaceAll(/ +/g, ' ')
}

describe('signatures', () => {
  test.each([
    ['classes without their package', 'before(): call(* java.util.Map.put(..))', 'before call(Map+.put)'],
    ['classes in any package', 'before(): call(* *..Map.put(..))', 'before call(Map+.put)'],
    ['classes in classes', 'before(): call(* java.util.Map.Entry+.setValue(..))', 'before call(Map.Entry+.setValue)'],
    ['any class', 'before(): call(* *.put(..))', 'before call(*.put)'],
    ['no class', 'before(): call(* put(..))', 'before call(*.put)'],
    ['wildcards', 'before(): call(* *Map+.put*(..))', 'before call(*Map+.put*)'],
    ['modifiers', 'before(): call(public static void A.f(..))', 'before call(A+.f)'],
    ['generic types', 'before(): call(Map<String, List<?>> A.f(List<String>, int[], Object...))', 'before call(A+.f) args(*, *, *)'],
    ['a constructor of the class alone', 'after() returning(Map m): call(HashMap.new(..))', 'after call(HashMap.new) returns(m)'],
    ['and of classes below it', 'after() returning(Map m): call(HashMap+.new(int))', 'after call(HashMap+.new) args(*) returns(m)'],
    ['at least one argument', 'before(): call(* A.f(Object, ..))', 'before call(A+.f) args(*, ..)'],
    ['executions', 'before(): execution(void A.run())', 'before execution(A.run)'],
    ['fields', 'before(): get(private int A.x)', 'before get(A.x)'],
    ['any field', 'before(): get(*)', 'before get(*)'],
    ['any field with any type', 'before(): set(* *)', 'before set(*)'],
  ])('%s', (_, advice, text) => expect(event(advice)).toBe(text))
})

describe('operands', () => {
  test.each([
    ['what nothing asks for', 'before(Map m, int n): call(* Map.f(int)) && target(m) && args(n)', 'before call(Map+.f) target(m) args(*)'],
    ['more than args names', 'before(Object key): call(* A.f(Object, Object)) && args(key, ..)', 'before call(A+.f) args(key, *)'],
    ['a type of the target that the call does not name', 'before(Map m): call(* put(..)) && target(m)', 'before call(Map+.put) target(m)'],
    ['that the call names otherwise', 'before(Map m): call(* A+.put(..)) && target(m)', 'before call(A+.put) target(Map+ m)'],
    ['that stands there itself', 'before(): call(* A+.put(..)) && target(java.util.List)', 'before call(A+.put) target(List+ *)'],
    ['of the object of a field', 'before(Map m): get(* size) && target(m)', 'before get(*.size) target(Map m)'],
    ['Object is any class', 'before(Object m): call(* A+.put(..)) && target(m)', 'before call(A+.put) target(m)'],
    ['what is written', 'before(Map m, int v): set(* Map.n) && args(v) && if(v > 3)', 'before set(Map.n) value(v) if(v > 3)'],
    ['what is read', 'after() returning(Object key): get(* Map.n)', 'after get(Map.n) value(key)'],
    ['any result', 'after() returning: call(* A.f(..))', 'after call(A+.f) returns(*)'],
    ['any failure', 'after() throwing: call(* A.f(..))', 'after call(A+.f) throws'],
    ['a failure by its class', 'after() throwing (java.io.IOException e): call(* A.f(..))', 'after call(A+.f) throws("IOException*")'],
    ['a body of nothing', 'before(): call(* A.f(..)) {}', 'before call(A+.f)'],
    ['all calls but one', 'before(): call(* A.*(..)) && !call(* A.g(..))', 'before call(A+.* | !A+.g)'],
    ['or two', 'before(): !(call(* B.g(..)) || call(* g(..))) && call(* A.*(..))', 'before call(A+.* | !B+.g | !*.g)'],
    ['alternatives', 'before(): call(* A.f(..)) || (call(* B.g(..)) || call(* A.f(..)))', 'before call(A+.f | B+.g)'],
  ])('%s', (_, advice, text) => expect(event(advice)).toBe(text))
})

describe('conditions', () => {
  const condition = (text: string): string =>
    /if\((.*)\)$/.exec(event(`before(Object a, Object b): call(* A.f(..)) && args(a, b) && ${text}`))![1]!
  test.each([
    ['if(a == null)', 'a == null'],
    ['if(null != a)', 'null != a'],
    ['if(a.contains("x"))', 'a contains "x"'],
    ['if(a.startsWith(b) || a.endsWith("y"))', 'a startsWith b || a endsWith "y"'],
    ['if(!a.equals(key))', '!(a == key)'],
    ['!if(a < 3)', '!(a < 3)'],
    ['if(a)', 'a == true'],
    ['if(!a && (b || a == 2))', '!(a == true) && (b == true || a == 2)'],
    ['if(a >= 1) && if(b != true)', 'a >= 1 && b != true'],
  ])('%s', (text, expected) => expect(condition(text)).toBe(expected))
})

/** Code and place of each fault. */
function faults(text: string): string[] {
  try {
    parseProperties(text)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(PropertyError)
    return (error as PropertyError).faults.map(({ code, at }) => `${code.replace('property-', '')} ${at?.line}:${at?.column}`)
  }
}

describe('refused, with a place', () => {
  const inside = (advice: string): string[] => faults(`P(Map m) {\nevent e ${advice}\npattern: e\n}`)
  test.each([
    ['before(Map m): call(* Map.f(..)) && target(m) && if(m.size() > 3)', 'condition-not-read 2:62'],
    ['before(Map m): call(* Map.f(..)) && target(m) && if(m instanceof Map)', 'condition-not-read 2:63'],
    ['before(Map m): call(* Map.f(..)) && target(m) && if(m + 1 == 3)', 'condition-not-read 2:63'],
    ['before(Map m): call(* Map.f(..)) && !target(m)', 'negated-pointcut 2:45'],
    ['before(Map m): call(* Map.f(..)) && target(m) && !call(* Map.g())', 'negated-arguments 2:59'],
    ['before(Map m): get(* Map.f) && target(m) && !call(* Map.g(..))', 'second-source 2:24'],
    ['before(Map m): !call(* Map.g(..)) && target(m)', 'no-source 2:24'],
    ['before(Map m): call(!static * Map.f(..)) && target(m)', 'negated-pointcut 2:29'],
    ['before(Map m): call(* Map.f(..)) && this(m)', 'unknown-word 2:45'],
    ['before(Map m): call(* Map.f(..)) && call(* Map.g(..)) && target(m)', 'second-source 2:45'],
    ['before(Map m): target(m)', 'no-source 2:24'],
    ['before(Map m): target(m) && target(m) && call(* f())', 'operand-twice 2:37'],
    ['before(Map m): (call(* Map.f()) || call(* Map.g(int))) && target(m)', 'alternatives-differ 2:24'],
    ['before(Map m): call(* Map.f(.., int)) && target(m)', 'more-not-last 2:39'],
    ['before(Map m): call(* Map.f(int)) && target(m) && args()', 'arguments-differ 2:59'],
    ['before(Map m): call(* java.util.*.f(..)) && target(m)', 'package-only 2:31'],
    ['before(Map m): call(* Map.f+(..)) && target(m)', 'bad-signature 2:31'],
    ['before(Map m): get(* Map+.f) && target(m)', 'subclasses-not-known 2:24'],
    ['before(Map m): execution(* Map+.f()) && target(m)', 'subclasses-not-known 2:24'],
    ['before(Map mm): call(* Map.f(..)) && target(mmm)', 'unknown-name 2:53'],
    ['before(Map m): call(* Map.f(..)) && target(m) { System.exit(1); }', 'advice-body 2:55'],
    ['before(Map m): call(* Map<String.f(..)) && target(m)', 'not-closed 2:34'],
    ['before(Map<?> m) call(* f())', 'syntax 2:26'],
    ['before(Map event): call(* f())', 'reserved-name 2:20'],
    ['before(Map m) returning(Map m): call(* f())', 'syntax 2:23'],
    ['around(Map m): call(* f())', 'unknown-word 2:9'],
    ['answered(Map m): call(* f())', 'syntax 2:17'],
  ])('%s', (advice, fault) => expect(inside(advice)[0]).toBe(fault))

  test.each([
    ['P(Map m) {\n  ere: a b\n}', ['other-logic 2:3']],
    ['P(Map m) {\n  event e before(Map m): call(* f()) && target(m)\n  pattern: e\n  @match { }\n}', ['handler 4:3']],
    ['P Q(Map m) {}', ['unknown-word 1:1']],
    ['event (Map m) {}', ['reserved-name 1:1']],
    [
      'P(Map m) {\n  event e before(Map m): oops\n}\nQ(Map m) {\n  event e before(Map m): oops\n}',
      ['unknown-word 2:26', 'unknown-word 5:26'],
    ],
  ])('%j', (text, expected) => expect(faults(text)).toEqual(expected))
})

test('imports are skipped', () => {
  expect(parseProperties(`package mop;\nimport java.util.*;\n${PRINTED[0]!.printed}`).declarations).toHaveLength(1)
})

test('∨ and ∧ are signs of patterns, too', () => {
  const text = (pattern: string): string => `property P() {\n  event a before call(x)\n  event b before call(y)\n  pattern: ${pattern}\n}\n`
  expect(format(parseProperties(text('(a ∨ b) ∧ a')))).toBe(text('(a | b) & a'))
})

test.each<[string, string, RegExp]>([
  ['parentheses', `P() { event e before(): ${'('.repeat(50_000)}`, /nested more than 100 deep/],
  ['nots', `P() { event e before(): ${'!'.repeat(50_000)}`, /nested more than 100 deep/],
  [
    'alternatives',
    `P() { event e before(): ${Array.from({ length: 20 }, () => '(call(* f()) || call(* g()))').join(' && ')} }`,
    /alternatives/,
  ],
  ['one condition after the other', `P() { event e before(): call(* f())${' && if(1 == 1)'.repeat(50_000)} pattern: e }`, /nested more/],
  ['sources', `P() { event e before(): call(* f())${' && call(* f())'.repeat(50_000)} pattern: e }`, /one thing/],
  ['brackets', `P() { event e before(): call(List${'<'.repeat(100_000)}`, /not closed/],
  ['a name of dots', `P() { event e before(): call(* a${'.a'.repeat(100_000)}+.b())`, /no pattern/],
])('hostile: %s', (_, text, pattern) => {
  expect(readText(text, 'f').steps).toBeLessThanOrEqual(30 * (text.length + 1))
  expect(() => parseProperties(text)).toThrow(HeddleError)
  expect(() => parseProperties(text)).toThrow(pattern)
})

test('printed files with a few letters changed, cut or moved: the same in the language, or an error', () => {
  const random = new Random(12)
  const files = PRINTED.map(({ printed }) => printed)
  let good = 0
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
    try {
      const file = parseProperties(text)
      expect(bare(parseProperties(format(file))), text).toEqual(bare(file))
      good++
    } catch (error) {
      expect(error, text).toBeInstanceOf(HeddleError)
    }
  }
  expect(good).toBeGreaterThan(200)
})
