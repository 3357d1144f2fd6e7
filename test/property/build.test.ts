/** The builders make what the text makes, and their types refuse names that are not there. */
import { expect, test } from 'vitest'
import { properties } from '../../src/index.ts'
import { bare } from './random-file.ts'
import { SAMPLES } from './samples.ts'

const { after, all, answered, any, ANY, atOnce, before, both, call, compare, either, emit, execution, get, literal, local, MORE } =
  properties
const { never, not, optional, parse, plus, property, sequence, set, star, typestate } = properties

const BUILT = [
  property(
    'UnsafeIterator',
    { c: 'collection', i: 'iterator' },
    {
      says: '{c} is changed while it is iterated',
      events: {
        create: after(call('*.iterator'), { target: 'c', returns: 'i' }),
        update: after(call('*.add*', '*.remove*'), { target: 'c' }),
        next: before(call('*.next'), { target: 'i' }),
      },
      pattern: (e) => sequence(e.create, star(e.next), plus(e.update), e.next),
    },
  ),
  property(
    'NullDereference',
    { o: 'object' },
    {
      events: {
        deRef: before(get('TableDescriptor.referencedColumnMap'), { target: 'o' }),
        setNull: before(set('TableDescriptor.referencedColumnMap'), {
          target: 'o',
          value: local('v'),
          if: compare(local('v'), '==', null),
        }),
      },
      pattern: (e) => atOnce(e.deRef('t1'), e.setNull('t2')),
    },
  ),
  property(
    'UnsafeDatabaseAccess',
    { conn: 'connection', table: 'string' },
    {
      events: {
        open: after(call('DriverManager.getConnection'), { returns: 'conn' }),
        close: before(call('Connection.close'), { target: 'conn' }),
        create: before(call('createTable'), { args: ['conn', 'table'] }),
        delete: before(call('deleteTable'), { args: ['conn', 'table'] }),
        update: before(call('Statement.execute'), { args: [local('sql'), MORE], if: compare(local('sql'), 'contains', 'table') }),
      },
      pattern: (e) => never(sequence(e.open, e.create, e.update, e.delete, e.close)),
    },
  ),
  property(
    'CheckThenAct',
    { m: 'map', k: 'key' },
    {
      events: {
        check: after(call('Map+.get'), { target: 'm', args: ['k'] }),
        act: before(call('Map+.remove'), { target: 'm', args: ['k', MORE] }),
      },
      pattern: (e) => sequence(e.check('t1'), plus(e.act('t2')), e.act('t1')),
      shown: (e) => sequence(e.check('t1'), e.act('t2'), e.act('t1')),
      confirm: 'failure',
      default: 'off',
    },
  ),
  property(
    'Atomicity',
    { o: 'object' },
    {
      events: {
        begin: before(execution('m')),
        read: before(get('*.s'), { target: 'o' }),
        write: before(set('*.s'), { target: 'o' }),
        end: after(execution('m')),
      },
      pattern: (e) => sequence(e.begin('t1', '<r1'), e.read('t1'), e.write('t2'), e.write('t1'), e.end('t1', '>r1')),
    },
  ),
  typestate(
    'File',
    { f: 'fd' },
    {
      events: {
        open: after(call('fs.openSync'), { returns: 'f' }),
        read: before(call('fs.readSync', 'fs.read'), { args: ['f', MORE] }),
        close: before(call('fs.close*'), { args: ['f', MORE] }),
      },
      states: {
        CLOSED: { open: 'OPEN' },
        OPEN: { read: 'OPEN', write: 'OPEN', seek: 'OPEN', close: 'CLOSED' },
      },
    },
  ),
]

test.each(SAMPLES)('$name', ({ name, text }) => {
  const built = BUILT.find((d) => d.name === name)!
  expect(bare(built)).toEqual(bare(parse(text).declarations[0]))
  expect(properties.format({ declarations: [built] })).toBe(text)
})

test('every other form can be built', () => {
  const made = property(
    'P',
    { a: '', b: 'x' },
    {
      events: {
        x: answered(call('f', 'A+.g', '!A.g'), {
          args: ['a', ANY, literal('text'), 1, null, true],
          returns: 'b',
          if: any(all(compare('a', '>=', 2), not(compare('b', 'matches', literal('x*')))), compare('a', '!=', undefined)),
        }),
        y: before(emit('Socket+.close'), { target: 'a', receiver: 'TLSSocket+' }),
        z: after(call('g'), { throws: 'E*', target: 'a' }),
      },
      pattern: (e) => sequence(e.x('<r'), either(e.y, both(e.z, e.y)), optional(e.z), e.y('>r')),
    },
  )
  expect(properties.format({ declarations: [made] })).toBe(`property P(a, x b) {
  event x answered call(f | A+.g | !A.g) args(a, *, "text", 1, null, true) returns(b) if(a >= 2 && !(b matches "x*") || a != undefined)
  event y before   emit(Socket+.close) target(TLSSocket+ a)
  event z after    call(g) target(a) throws("E*")
  pattern: x(<r) (y | z & y) z? y(>r)
}
`)
})

test('names that are not there are refused by the types, and when called', () => {
  const e = after(call('f'), { target: 'a' })
  // @ts-expect-error b is no parameter
  expect(() => property('P', { a: '' }, { events: { x: after(call('f'), { target: 'b' }) }, pattern: (p) => p.x })).toThrow(
    /"b" is no parameter/,
  )
  // @ts-expect-error c is no parameter
  expect(() => property('P', { a: '' }, { events: { x: after(call('f'), { target: 'a', if: compare('c', '==', 1) }) }, pattern: (p) => p.x })).toThrow(/"c" is neither/) // prettier-ignore
  // @ts-expect-error y is no event
  expect(() => property('P', { a: '' }, { events: { x: e }, pattern: (p) => sequence(p.x, p.y) })).toThrow()
  // @ts-expect-error B is no state
  expect(() => typestate('T', { a: '' }, { events: { x: e }, states: { A: { x: 'B' } } })).toThrow(/no state "B"/)
})

test('what cannot be written is refused', () => {
  const x = before(call('f'))
  const pattern = (p: { readonly x: properties.EventRef }): properties.Part => p.x
  expect(() => property('two words', {}, { events: { x }, pattern })).toThrow(/"two words" cannot be the name of a property/)
  expect(() => property('P', { if: '', event: '' }, { events: { x }, pattern })).toThrow(/"event" cannot be the name of a parameter/)
  expect(() => property('P', {}, { events: { x }, pattern: (p) => p.x('no task') })).toThrow(/cannot be written in the language/)
  expect(() => property('P', {}, { events: { x: before(get('')) }, pattern })).toThrow(/cannot be written/)
  for (const receiver of ['', '*', 'two words', '(']) {
    const events = { x: before(call('f'), { target: 'a', receiver }) }
    expect(() => property('P', { a: '' }, { events, pattern })).toThrow(/cannot be (written|the name of a class)/)
  }
  expect(() => before(call('A+'))).toThrow(/"A\+" is no name for call/)
  expect(() => property('P', {}, { events: { x }, pattern: (p) => star(p.x) })).toThrow(
    /^property P: This pattern is there when nothing happens/,
  )
})
