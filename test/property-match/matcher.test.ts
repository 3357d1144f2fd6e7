/** What an event of a trace is to a declaration: names, locations, locks, operands, conditions; and what has to be recorded. */
import { expect, test } from 'vitest'
import type { Condition, EventDeclaration, Literal, Operand, Property, Pattern } from '../../src/property/ast.ts'
import { callFits, callName } from '../../src/property/call-names.ts'
import { UNKNOWN, holds } from '../../src/property/conditions.ts'
import { globFits } from '../../src/property/globs.ts'
import { objectOf, plainLocation } from '../../src/property/location-names.ts'
import { normalForm } from '../../src/property/normal.ts'
import { occurrences } from '../../src/property/occurrences.ts'
import { needsMemory, watchesOf } from '../../src/property/watch.ts'
import { parseText } from '../../src/trace/text.ts'
import { both, call, ev, maybe, not, or, plus, property, seq, star } from './make.ts'

const name = (text: string): Operand => ({ kind: 'name', name: text })
const literal = (value: Literal): Operand => ({ kind: 'literal', value })

test('globs match whole names, in linear time', () => {
  expect(globFits('add*', 'addAll')).toBe(true)
  expect(globFits('*a*b', 'xxaxxab')).toBe(true)
  expect(globFits('a', 'ab')).toBe(false)
  expect(globFits('*', '')).toBe(true)
  expect(globFits('a.c', 'abc')).toBe(false)
  // Takes no longer than pattern times name.
  expect(globFits(`${'*a'.repeat(50)}b`, 'a'.repeat(20_000))).toBe(false)
})

test('a call fits its class, and its subclasses where they count', () => {
  const fits = (owner: string | undefined, subclasses: boolean, text: string): boolean =>
    callFits({ owner, subclasses, method: 'query' }, callName(text))
  const chain = 'BoundPool:Pool:EventEmitter.query'
  expect(fits('Pool', false, chain)).toBe(false)
  expect(fits('BoundPool', false, chain)).toBe(true)
  expect(fits('Pool', true, chain)).toBe(true)
  expect(fits('*Emitter', true, chain)).toBe(true)
  expect(fits('*', false, chain)).toBe(true)
  expect(fits(undefined, false, 'query')).toBe(true)
  expect(fits(undefined, false, chain)).toBe(false)
  expect(callName('Map.[Symbol.iterator]')).toEqual({ owners: ['Map'], method: '[Symbol.iterator]' })
  expect(callName('lib/pool.js.open')).toEqual({ owners: ['lib/pool.js'], method: 'open' })
})

test('locations give their object and their plain name', () => {
  expect(objectOf('Pool#3.idle')).toBe('Pool#3')
  expect(objectOf('Map#2<"k#1.x">')).toBe('Map#2')
  expect(objectOf('Array#3[5]')).toBe('Array#3')
  expect(objectOf('Map.Entry#2.value')).toBe('Map.Entry#2')
  expect(plainLocation('Map.Entry#2.value')).toBe('Map.Entry.value')
  expect(objectOf('queue.c:31#2.x')).toBeUndefined()
  expect(objectOf('file:/tmp/a#1.b')).toBeUndefined()
  expect(objectOf('variable count of driver.js:12')).toBeUndefined()
  expect(plainLocation('Pool#3.idle')).toBe('Pool.idle')
  expect(plainLocation('Map#2<"k#1.x">')).toBe('Map<"k#1.x">')
  expect(plainLocation('variable count of driver.js:12 #2')).toBe('variable count of driver.js:12')
  expect(plainLocation('file:/tmp/a#1')).toBe('file:/tmp/a#1')
})

test('conditions: what is not known is neither true nor false', () => {
  const compare = (how: Extract<Condition, { kind: 'compare' }>['how'], left: Operand, right: Operand): Condition => ({
    kind: 'compare',
    how,
    left,
    right,
  })
  const ask = (condition: Condition): boolean | undefined =>
    holds(condition, (n) => ({ n: 3, s: 'select * from users', o: { object: 'Pool#1' }, z: null })[n] ?? (n === 'z' ? null : UNKNOWN))
  expect(ask(compare('==', name('n'), literal(3)))).toBe(true)
  expect(ask(compare('==', name('z'), literal(null)))).toBe(true)
  expect(ask(compare('<=', name('n'), literal(3)))).toBe(true)
  expect(ask(compare('<', name('n'), literal('4')))).toBe(false)
  expect(ask(compare('contains', name('s'), literal('users')))).toBe(true)
  expect(ask(compare('startsWith', name('s'), literal('select')))).toBe(true)
  expect(ask(compare('endsWith', name('s'), literal('select')))).toBe(false)
  expect(ask(compare('matches', name('s'), literal('select*users')))).toBe(true)
  const unknown = compare('==', name('x'), literal(1))
  expect(ask(unknown)).toBeUndefined()
  expect(ask({ kind: 'not', inner: unknown })).toBeUndefined()
  expect(ask({ kind: 'or', left: unknown, right: compare('!=', name('o'), literal(null)) })).toBe(true)
  expect(ask({ kind: 'and', left: unknown, right: compare('==', name('n'), literal(4)) })).toBe(false)
})

/** `T1 event, …` as rows: which of them are the event, and what they bind. */
function found(event: EventDeclaration, parameters: string[], drawing: string): string[] {
  const trace = parseText(drawing)
  const { columns } = occurrences(property(parameters, [event], ev(event.name)), { trace, order: trace.recordedOrder() })
  const [column] = columns
  return [...column!.events.view()].map((e, row) =>
    [trace.eventText(e), ...column!.codes.map((codes) => trace.tables.values.textOf(codes.at(row)))].join(' '),
  )
}

const place = (text: string) => ({ kind: 'name', name: text }) as const

test('accesses: plain, atomic, kept back; object, location, value', () => {
  const drawing = `T1
w(Pool#3.idle)=1
r(Pool#3.idle)=1
ra(Pool#4.idle)=2
u(Pool#4.idle)=3
r(Pool#3.busy)=0
r(Pool#3.idle)
rAt(Pool#3.idle)=4
`
  const get: EventDeclaration = {
    name: 'get',
    when: 'before',
    source: { kind: 'get', names: ['Pool.idle'] },
    target: place('o'),
    value: place('v'),
  }
  expect(found(get, ['o', 'v'], drawing)).toEqual(['r(Pool#3.idle)=1 #Pool#3 1', 'ra(Pool#4.idle)=2 #Pool#4 2'])
  const set: EventDeclaration = { name: 'set', when: 'after', source: { kind: 'set', names: ['*.idle'] }, location: place('l') }
  expect(found(set, ['l'], drawing)).toEqual(['w(Pool#3.idle)=1 "Pool#3.idle"', 'u(Pool#4.idle)=3 "Pool#4.idle"'])
})

test('locks: before an acquire is its request, where there is one', () => {
  const drawing = `T1      T2
req(l)
acq(l)
rel(l)
        acq(l)
        rel(l)
req(l)
`
  const acquire = (when: 'before' | 'after'): EventDeclaration => ({
    name: 'lock',
    when,
    source: { kind: 'acquire', names: ['l'] },
    target: place('o'),
  })
  expect(found(acquire('before'), ['o'], drawing)).toEqual(['req(l) "l"', 'acq(l) "l"', 'req(l) "l"'])
  expect(found(acquire('after'), ['o'], drawing)).toEqual(['acq(l) "l"', 'acq(l) "l"'])
})

test('calls: arguments, results, errors, emitted events', () => {
  const drawing = `T1
call(Socket:Stream.emit)=#Socket#1
arg(1)="close"
arg(2)=true
call(Socket:Stream.emit)=#Socket#1
arg(1)="data"
call(fs.open)=#fs#1
arg(1)="/tmp/x"
ret(fs.open)=#fs#1
arg(throws)="ENOENT Error no such file"
done(fs.open)=#fs#1
arg(returns)=7
call(fs.open)
`
  const emit: EventDeclaration = {
    name: 'e',
    when: 'before',
    source: { kind: 'emit', names: [{ owner: 'Stream', subclasses: true, method: 'close' }] },
    target: place('o'),
  }
  expect(found(emit, ['o'], drawing)).toEqual(['call(Socket:Stream.emit)=#Socket#1 #Socket#1'])
  const open = (rest: Partial<EventDeclaration>): EventDeclaration => ({ ...call('open', 'fs.open'), ...rest })
  const literalPlace = (value: Literal) => ({ kind: 'literal', value }) as const
  expect(found(open({ args: { places: [place('f')], more: false } }), ['f'], drawing)).toEqual(['call(fs.open)=#fs#1 "/tmp/x"'])
  expect(found(open({ args: { places: [place('f'), { kind: 'any' }], more: true } }), ['f'], drawing)).toEqual([])
  expect(found(open({ args: { places: [], more: false } }), [], drawing)).toEqual(['call(fs.open)'])
  expect(found(open({ args: { places: [literalPlace('/tmp/y')], more: true } }), [], drawing)).toEqual([])
  expect(found(open({ when: 'after', throws: 'ENOENT*' }), [], drawing).length).toBe(1)
  expect(found(open({ when: 'after', throws: 'EEXIST*' }), [], drawing)).toEqual([])
  expect(found(open({ when: 'answered', returns: place('fd') }), ['fd'], drawing)).toEqual(['done(fs.open)=#fs#1 7'])
  // A receiver that was not observed fits nothing.
  expect(found(open({ target: place('o') }), ['o'], drawing).length).toBe(1)
  const condition: Condition = { kind: 'compare', how: 'endsWith', left: name('file'), right: literal('x') }
  expect(found(open({ args: { places: [place('file')], more: true }, condition }), [], drawing).length).toBe(1)
  expect(found(open({ args: { places: [place('file')], more: true }, condition: { kind: 'not', inner: condition } }), [], drawing)).toEqual(
    [],
  )
})

test('classes of receivers: of a call all of them, of a location its own', () => {
  const drawing = `T1
call(ArrayList:List:Collection.add)=#ArrayList#1
call(Listeners.add)=#Listeners#1
call(add)
r(Map.Entry#1.value)=1
r(Node#1.value)=1
r(value)=1
`
  const add = (name: string, subclasses: boolean): string[] =>
    found({ ...call('add', '*.add'), target: place('o'), receiver: { name, subclasses } }, ['o'], drawing)
  expect(add('List', true)).toEqual(['call(ArrayList:List:Collection.add)=#ArrayList#1 #ArrayList#1'])
  expect(add('List', false)).toEqual([])
  expect(add('*List', false)).toHaveLength(1)
  expect(add('Listeners', true)).toHaveLength(1)
  const read = (name: string): string[] =>
    found(
      {
        name: 'r',
        when: 'before',
        source: { kind: 'get', names: ['*value'] },
        target: place('o'),
        receiver: { name, subclasses: false },
      },
      ['o'],
      drawing,
    )
  expect(read('Map.Entry')).toEqual(['r(Map.Entry#1.value)=1 #Map.Entry#1'])
  expect(read('Node')).toHaveLength(1)
  expect(read('value')).toEqual([])
})

test('excluded calls do not match', () => {
  const drawing = 'T1\ncall(A.add)=#A#1\ncall(B:A.addAll)=#B#1\ncall(A.addAll)=#A#1\n'
  const names = [{ owner: 'A', subclasses: true, method: 'add*' }]
  const add = (except: typeof names): string[] => found({ ...call('e', 'x'), source: { kind: 'call', names, except } }, [], drawing)
  expect(add([])).toHaveLength(3)
  expect(add([{ owner: 'A', subclasses: false, method: 'addAll' }])).toHaveLength(2)
  expect(add([{ owner: 'A', subclasses: true, method: 'addAll' }])).toHaveLength(1)
})

test('returns(*) is any result, and no failure', () => {
  const drawing = `T1
ret(A.f)=#A#1
ret(A.f)=#A#2
arg(returns)=1
ret(A.f)=#A#3
arg(throws)="Error no"
`
  const f = (rest: Partial<EventDeclaration>): string[] =>
    found({ ...call('f', 'A.f'), when: 'after', target: place('o'), ...rest }, ['o'], drawing).map((text) => text.slice(-1))
  expect(f({})).toEqual(['1', '2', '3'])
  expect(f({ returns: { kind: 'any' } })).toEqual(['1', '2'])
})

const forms = (pattern: Pattern): string[] =>
  normalForm(property([], [], pattern), pattern).map(({ slots, before, guards }) =>
    [
      slots.map((s) => s.name).join(' '),
      before.map((p) => p.join('<')).join(' '),
      guards.map((g) => `${g.after}!${g.name}!${g.before}`).join(' '),
    ].join('; '),
  )

test('patterns have a normal form', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((n) => ev(n)) as [Pattern, Pattern, Pattern]
  expect(forms(seq(a, star(b), plus(c), a))).toEqual(['a c a; 0<1 1<2; '])
  expect(forms(seq(a, or(b, c)))).toEqual(['a b; 0<1; ', 'a c; 0<1; '])
  expect(forms(seq(a, maybe(b)))).toEqual(['a; ; ', 'a b; 0<1; '])
  expect(forms(not(seq(a, b, c)))).toEqual(['a b c; 1<0; ', 'a b c; 2<1; '])
  expect(forms(seq(a, not(c), star(b), not(c), a)).length).toBe(3)
  expect(forms(seq(both(a, b), not(c), a))).toEqual(['a b a; 0<2 1<0; 0!c!2', 'a b a; 0<1 1<2; 1!c!2'])
})

test('hostile patterns are harmless or refused', () => {
  const a = ev('a')
  let deep: Pattern = a
  for (let i = 0; i < 300; i++) deep = star(deep)
  expect(forms(seq(deep, a))).toEqual(['a; ; '])
  let deeper: Pattern = a
  for (let i = 0; i < 50_000; i++) deeper = plus(deeper)
  expect(() => forms(deeper)).toThrow(/nested more than/)
  expect(() => forms(seq(...Array.from({ length: 1000 }, () => a)))).toThrow(/more than 30 events/)
  expect(() => forms(seq(...Array.from({ length: 20 }, () => or(a, ev('b')))))).toThrow(/alternatives/)
  expect(() => forms(both(...Array.from({ length: 12 }, () => maybe(ev('b'))), a))).not.toThrow()
  let doubling: Pattern = seq(not(ev('x')), a, not(ev('y')))
  for (let i = 0; i < 12; i++) doubling = plus(doubling)
  expect(() => forms(doubling)).toThrow(/split it/i)
  expect(() => forms(star(a))).toThrow(/needs no event/)
  expect(() => forms(not(maybe(a)))).toThrow(/may be empty/)
})

test('what has to be recorded', () => {
  const emit = (method: string): EventDeclaration => ({
    name: 'e',
    when: 'before',
    source: { kind: 'emit', names: [{ owner: 'Socket', subclasses: true, method }] },
  })
  const p: Property = property(
    ['o'],
    [
      call('open', 'fs.open', { arg: 'o' }),
      call('opened', 'fs.open|getPort', { when: 'answered', returns: 'o' }),
      { ...call('exact', 'fs.open'), args: { places: [place('o'), { kind: 'any' }], more: false } },
      emit('close'),
      emit('end'),
      { name: 'run', when: 'after', source: { kind: 'execution', names: ['m'] } },
      { name: 'look', when: 'before', source: { kind: 'get', names: ['file:*'] } },
    ],
    ev('open'),
  )
  expect(watchesOf([p])).toEqual([
    { kind: 'call', owner: 'fs', name: 'open', when: ['before', 'answered'], args: 3 },
    { kind: 'call', name: 'getPort', when: ['answered'], args: 0 },
    { kind: 'call', owner: 'Socket', subclasses: true, name: 'emit', when: ['before'], args: 1, first: ['close', 'end'] },
    { kind: 'execution', name: 'm', when: ['after'], args: 0 },
  ])
  expect(watchesOf([{ ...p, events: [emit('close'), emit('*')] }])[0]!.first).toBeUndefined()
  expect(needsMemory([p])).toBe(false)
  expect(needsMemory([{ ...p, events: [{ name: 'g', when: 'before', source: { kind: 'set', names: ['Pool.idle'] } }] }])).toBe(true)
})
