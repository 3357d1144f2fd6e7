/** Errors in property files: every one has a position and a remedy. */
import { describe, expect, test } from 'vitest'
import { HeddleError } from '../../src/errors.ts'
import type { Pattern } from '../../src/property/ast.ts'
import { eventsOf } from '../../src/property/events-of.ts'
import { PropertyError } from '../../src/property/faults.ts'
import { parseProperties, readText } from '../../src/property/parse.ts'
import { bare } from './random-file.ts'
import { SAMPLES } from './samples.ts'

function faultsOf(text: string): string[] {
  try {
    parseProperties(text, 'shop.prop')
  } catch (error) {
    expect(error).toBeInstanceOf(PropertyError)
    return (error as PropertyError).report.map((r) => r.split('\n')[0]!)
  }
  return []
}

test.each(SAMPLES)('$name', ({ name, text }) => {
  const { declarations } = parseProperties(text)
  expect(declarations.map((d) => d.name)).toEqual([name])
})

test('an error has the line, a caret and a suggestion', () => {
  const text = 'property P(a) {\n\tevent open after call(x) returns(a)\n\tpattern: opne\n}\n'
  let message = ''
  try {
    parseProperties(text, 'shop.prop')
  } catch (error) {
    expect(error).toBeInstanceOf(HeddleError)
    expect(error).toMatchObject({ code: 'property-unknown-event', remedy: 'Did you mean open?' })
    ;({ message } = error as Error)
  }
  expect(message).toBe('shop.prop:3:11: There is no event "opne". Did you mean open?\n   pattern: opne\n            ^')
})

test('nothing of the text reaches a terminal as a command', () => {
  const message = faultsOf('property P(a) {\n  event \u001b[31mx\n').join('')
  expect(message).not.toContain('\u001b')
  expect(() => parseProperties('pr\u202eoperty', '\u001b[2J.prop')).toThrow(/^�\[2J\.prop:1:1: /)
})

test('everything that is wrong is said, in the order of the text', () => {
  const text = `property A(c) {
  event x after call(f) returns(c)
  pattern: y z
}
property B(c) {
  event x aftr call(f)
}
property A(d) {
  event x after call(f) target(dd)
  pattern: x
}`
  expect(faultsOf(text).map((f) => f.split(' ')[0])).toEqual([
    'shop.prop:3:12:',
    'shop.prop:3:14:',
    'shop.prop:6:11:',
    'shop.prop:8:1:',
    'shop.prop:8:12:',
    'shop.prop:9:32:',
  ])
})

const event = (line: string, parameters = 'a'): string =>
  `property P(${parameters}) {\n  event e before call(f) args(a, ..)\n  ${line}\n  pattern: e\n}`
const pattern = (text: string): string => `property P() {\n  event a before call(f)\n  event b before call(g)\n  pattern: ${text}\n}`
const states = (text: string, parameters = 'f'): string =>
  `typestate T(${parameters}) {\n  event open after call(g) returns(f)\n  ${text}\n}`

describe('faults', () => {
  test.each<[string, RegExp]>([
    // Words
    ['proprety P() {}', /:1:1: "proprety" is no declaration\. Did you mean property\?/],
    ['fly', /"fly" is no declaration\. Known: property, typestate/],
    ['property {', /:1:10: Expected the name of the property, found \{/],
    ['property event() {', /:1:10: "event" is a word of the language/],
    ['property P {', /Expected \(, found \{/],
    ['property P(a,) {', /Expected a parameter, found \)/],
    [event('evnt x before call(g)'), /:3:3: "evnt" is no part of an event\. Did you mean event\?/],
    [pattern('a\n  patern: b'), /:5:3: "patern" is no line of a property\. Did you mean pattern\?/],
    [event('event x befor call(g)'), /:3:11: "befor" is no moment\. Did you mean before\?/],
    [event('event x call(g)'), /:3:11: Event x does not say when\. Write before, after or answered/],
    [event('event x before cal(g)'), /:3:18: "cal" is no source of events\. Did you mean call\?/],
    [event('event x before call(g) agrs(a)'), /"agrs" is no part of an event\. Did you mean args\?/],
    [event('event x before call(g) args(a) args(a)'), /args stands twice/],
    [event('event x before call(* g(..))'), /call\(…\) holds names only/],
    [event('event x before call()'), /Expected a name, found \)/],
    [event('event x before call("")'), /This name is empty/],
    [event('event x before call(A+)'), /"A\+" is no name for call/],
    [event('event x before call(.f)'), /"\.f" is no name for call/],
    [event('event x before emit(close)'), /"close" is no name for emit\. Write Class\.event or \*\.event/],
    [event('event x before call(g) args(.., a)'), /`\.\.` is not the last argument/],
    [event("event x before call(g) args('x')"), /Text stands in double quotes/],
    [event('event x before call(g) args("x)'), /This text is not closed/],
    [event('event x before call(g) args("\\x")'), /Unknown escape sequence/],
    [event('event x before call(g) args(1e999)'), /"1e999" is too large/],
    [event('event x after call(g) throws(E)'), /Expected a text, as in throws\("EEXIST\*"\)/],
    [event('event x before call(g) if(a)'), /A condition compares two things/],
    [event('event x before call(g) if(a contain 1)'), /"contain" is no comparison\. Did you mean contains\?/],
    [event('event x before call(g) if(a == 1'), /Expected \), found pattern/],
    [event('says "x" says "y"'), /says was said already, in line 3/],
    [pattern('a pattern: b'), /pattern: was said already, in line 4/],
    [pattern('a\n confirm: failur'), /"failur" is no setting\. Did you mean failure\?/],
    [pattern('a\n default: of'), /"of" is no setting\. Did you mean/],
    [pattern('a\n confirm failure'), /There is no event "confirm"\. If a new line begins here, write confirm:/],
    ['property P() {\n event e before call(f)\n pattern e\n}', /:3:2: There is no colon after pattern\. Write pattern:/],
    ['property P() {\n}', /:1:1: Property P has no pattern/],
    ['property P() {\n event e before call(f)\n pattern: e\n', /:4:1: property P, begun in line 1, is not closed\. Put a \}/],
    ['/* x', /:1:1: This comment is not closed/],
    // Names
    [event('event e before call(g)'), /:3:9: There are two events named "e"; the first is in line 2/],
    [event('', 'a, x a'), /There are two parameters named "a"/],
    [event('', 'a, b'), /:1:15: No event of the pattern binds parameter "b"/],
    [event('event x before call(g) args(b)', 'a, b'), /No event of the pattern binds parameter "b"/],
    [
      event('event x before call(g) args(left) if(lfet == 1)'),
      /"lfet" is neither a parameter nor bound by this event\. Did you mean left\?/,
    ],
    [event('event x before call(g) target(aa)'), /"aa" is no parameter, and no condition uses it\. Did you mean a\? Write \*/],
    [event('says "{a} and {aa} and { a }"'), /says names \{aa\}, which is no parameter\. Did you mean \{a\}\?/],
    // Operands
    [event('event x before call(g) returns(a)'), /returns does not fit event x: nothing has come back before a call/],
    [event('event x after call(g) returns(a) throws'), /a call that throws returns nothing/],
    [event('event x before call(g) value(a)'), /value does not fit event x: only get, set and alloc/],
    [event('event x before get(g) args(a)'), /args does not fit event x: only calls have arguments/],
    [event('event x before acquire(g) location(a)'), /location does not fit event x/],
    [event('event x before execution(g) target(a)'), /target does not fit event x/],
    [event('event x before get(g) target(Map+ a)'), /target does not fit event x: only a call is recorded with the classes above/],
    [event('event x before call(g) target(Map b c)'), /Expected \), found c/],
    [event('event x before call(g) target(* a)'), /Expected \), found a/],
    [event('event x before call(!g | !h)'), /Only calls that are not meant are named/],
    [event('event x answered get(g)'), /Only calls have answers, and event x is not a call/],
    // Patterns
    [pattern(''), /Expected an event, found \}/],
    [pattern('a |'), /Expected an event, found \}/],
    [pattern('(a b'), /Expected \), found \}/],
    [pattern('a(b | a)'), /directly after a in parentheses is a task.*Put a blank before a group: a \( … \)/],
    [pattern('a (t1)'), /There is no event "t1"\. A task stands directly after its event: a\(t1\)/],
    [pattern('a || b || a'), /There is a second \|\|/],
    [pattern('a b || a'), /:4:16: \|\| stands between two events.*Put the two in parentheses: a \(b \|\| c\)/],
    [pattern('(a || b) a'), /:4:15: \|\| is not at the end/],
    [pattern('(a || b)+'), /\|\| is not at the end/],
    [pattern('a !b*'), /! stands over \*/],
    [pattern('!(a b+)'), /! stands over \+/],
    [pattern('!(a !b)'), /! stands over another !/],
    [pattern('!(a b?)'), /! stands over a sequence that can be a single event/],
    [pattern('a !(a & b)'), /! stands over &/],
    [pattern('a !(a | b a)'), /! stands over a sequence inside a choice/],
    [pattern('a* b?'), /when nothing happens at all/],
    [pattern('!a'), /when nothing happens at all/],
    [pattern('a(t1,<r) b'), /Region "r" is begun and not ended\. Put >r at an event after it/],
    [pattern('a(t1,>r) b(t1,<r)'), /Region "r" is ended and not begun before/],
    [pattern('a(t1,<r) b(t2,>r)'), /begins and ends in different tasks/],
    [pattern('a(<r) a(<r) b(>r)'), /is begun or ended twice/],
    // Typestates
    [states('A: open -> OPNE\n  OPEN: close -> A'), /:3:14: There is no state "OPNE"\. Did you mean OPEN\?/],
    [states('A: open -> A, close open -> A'), /"open" stands twice in state A/],
    [states('A: opne -> A'), /"opne" has no event line, and no state names event "open"\. Did you mean open\?/],
    [states('A: open -> A\n  A: open -> A'), /two states named "A"/],
    [states('A: open A'), /Expected ->, found \}/],
    [states(''), /Typestate T has no states/],
    [states('A: open -> A', ''), /Typestate T has no parameter/],
    [states('A: open -> A', 'f, g'), /Event open does not bind g/],
    [states('A: open x -> A', 'f, g'), /"x" has no event line, and with several parameters it needs one/],
    [states('pattern: open'), /A typestate has states, and no pattern/],
    [states('A: open -> A\n  says: x -> A'), /Expected a text in double quotes/],
  ])('%s', (text, expected) => expect(faultsOf(text).join('\n')).toMatch(expected))
})

describe('no fault', () => {
  test.each([
    '',
    '// nothing',
    pattern('a !b a'),
    pattern('a !(a | b) b'),
    pattern('!(a b)'),
    pattern('!(a (b | a) b?)'),
    pattern('a (a || b)'),
    pattern('a(t1,<r) (a(t1) || b(t2)) a(t1,>r)'),
    pattern('a | b || b'),
    pattern('(a(<r) | b(<r)) a (a(>r) | b(>r))'),
    pattern('a (b) // (t1)\n  confirm /* still */ : failure'),
    pattern('a\n   b\n   (a | b)*'),
    event('event x before call(g) args(b, b)'),
    event('event x answered call(g) returns(*) if(!(a == "x" || a != null) && a startsWith "y")'),
    event('event x before get(file:* | "a b" | Map["key"] | a<b) location(a)'),
    event('event if before call(g)').replace('pattern: e', 'pattern: e if'),
    states('A: open -> A\n  B:\n  value:\n  throws: value -> A'),
    '\uFEFF' + pattern('a').replaceAll('\n', '\r\n'),
  ])('%s', (text) => expect(faultsOf(text)).toEqual([]))
})

describe('form', () => {
  const parsed = (text: string): Pattern => {
    const [declaration] = readText(pattern(text), 'f').file.declarations
    return bare(declaration!.kind === 'property' ? declaration.pattern : undefined)!
  }
  const [a, b] = [
    { kind: 'event', name: 'a' },
    { kind: 'event', name: 'b' },
  ] as const

  test('operators bind as documented', () => {
    const star = { kind: 'repeat', how: '*', inner: b }
    expect(parsed('a b* | b & a || a')).toEqual({
      kind: 'parallel',
      left: {
        kind: 'choice',
        parts: [
          { kind: 'sequence', parts: [a, star] },
          { kind: 'both', parts: [b, a] },
        ],
      },
      right: a,
    })
    expect(parsed('a !b a')).toEqual({ kind: 'sequence', parts: [a, { kind: 'not', inner: b }, a] })
    expect(parsed('((a))')).toEqual(a)
    expect(parsed('(a b) a')).toEqual({ kind: 'sequence', parts: [{ kind: 'sequence', parts: [a, b] }, a] })
  })

  test('attributes of tasks are parsed', () => {
    expect(parsed('a(t1,<r) b(>r)')).toMatchObject({ parts: [{ task: 't1', region: { edge: 'begin', name: 'r' } }, {}] })
  })
})

test('the class of a target is parsed', () => {
  const target = (text: string) => parseProperties(event(`event x before call(g) ${text}`)).declarations[0]!.events.at(-1)
  expect(target('target(Map+ a)')).toMatchObject({ target: { name: 'a' }, receiver: { name: 'Map', subclasses: true } })
  expect(target('target(Map.Entry *)')).toMatchObject({ target: { kind: 'any' }, receiver: { name: 'Map.Entry', subclasses: false } })
  expect(target('target(\n*Map\n  null )')).toMatchObject({ target: { value: null }, receiver: { name: '*Map', subclasses: false } })
  expect(target('target(a )')).not.toHaveProperty('receiver.name')
  expect(target('target( a /* it */)')).not.toHaveProperty('receiver.name')
})

test('operations without an event line are calls on the parameter', () => {
  const [file] = parseProperties(states('A: open read -> A')).declarations
  expect(eventsOf(file!).map((e) => e.name)).toEqual(['open', 'read'])
  expect(eventsOf(file!)[1]).toMatchObject({
    when: 'before',
    source: { kind: 'call', names: [{ owner: '*', subclasses: false, method: 'read' }] },
    target: { kind: 'name', name: 'f' },
  })
})
