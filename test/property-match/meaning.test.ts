/** Every row of the table "Meaning" of docs/property-language.md, one run that matches and one that does not. */
import { describe, expect, test } from 'vitest'
import type { Pattern } from '../../src/property/ast.ts'
import { instances } from '../../src/property/instances.ts'
import { newMonitorCounts, violations } from '../../src/property/monitor.ts'
import { both, call, ev, maybe, not, or, par, plus, property, seq, star } from './make.ts'
import { runOf, traceOf, type Call } from './runs.ts'

const NAMES = ['a', 'b', 'c', 'd', 'in', 'out']
const EVENTS = [...NAMES.map((name) => call(name, `X.${name}`)), call('any', 'X.*')]

/** `a b 2:c`: calls of a and b in task 1, then c in task 2. */
const callsOf = (text: string): Call[] =>
  text.split(' ').map((word) => {
    const [, task, name] = /^(?:(\d):)?(\w+)$/.exec(word)!
    return { task: Number(task ?? 1) - 1, name: `X.${name}` }
  })

const shows = (pattern: Pattern, text: string): boolean =>
  violations(property([], EVENTS, pattern), runOf(traceOf(callsOf(text)).trace)).length > 0
const [a, b, c, d] = NAMES.map((name) => ev(name)) as [Pattern, Pattern, Pattern, Pattern]

const ROWS: readonly { row: string; pattern: Pattern; yes: readonly string[]; no: readonly string[] }[] = [
  { row: 'e', pattern: a, yes: ['a', 'b a'], no: ['b'] },
  { row: 'e(t1)', pattern: seq(ev('a', 't1'), ev('b', 't1')), yes: ['a 2:b b'], no: ['a 2:b'] },
  { row: 'e(t1) f(t2)', pattern: seq(ev('a', 't1'), ev('b', 't2')), yes: ['a 2:b'], no: ['a b', '2:b a'] },
  { row: 'p q', pattern: seq(a, b), yes: ['a b', 'a c 2:b'], no: ['b a', 'a'] },
  { row: 'p | q', pattern: or(a, b), yes: ['a', 'b'], no: ['c'] },
  { row: 'p & q', pattern: seq(both(a, b), c), yes: ['a b c', 'b a c'], no: ['a c b', 'a c'] },
  { row: 'p & q, an event that is both', pattern: both(a, ev('any')), yes: ['a a', 'a b', 'b a'], no: ['a', 'b b'] },
  { row: 'p?', pattern: seq(a, maybe(b), c), yes: ['a c', 'a b c'], no: ['c a', 'b'] },
  { row: 'p*', pattern: seq(a, star(b), c), yes: ['a c', 'a b b c'], no: ['c a'] },
  { row: 'p+', pattern: seq(a, plus(b), c), yes: ['a b c', 'a b b c'], no: ['a c', 'a c b'] },
  { row: 'p+ between guards', pattern: seq(a, not(c), plus(b), not(d), a), yes: ['a b c d b a', 'a b c a'], no: ['a c b a', 'a b d a'] },
  { row: '!e', pattern: seq(a, not(c), b), yes: ['a b', 'a c a b', 'c a b c'], no: ['a c b'] },
  { row: '!(e | f)', pattern: seq(a, not(or(c, d)), b), yes: ['a b'], no: ['a c b', 'a d b'] },
  { row: '!e at the begin', pattern: seq(not(c), a), yes: ['a c'], no: ['c a'] },
  { row: '!e at the end', pattern: seq(a, not(c)), yes: ['c a', 'a c a'], no: ['a c'] },
  { row: '!e beside &', pattern: seq(both(a, b), not(c), d), yes: ['a c b d', 'b a d'], no: ['a b c d'] },
  { row: '!e(t1)', pattern: seq(ev('a', 't1'), not(ev('c', 't1')), ev('b', 't1')), yes: ['a 2:c b'], no: ['a c b'] },
  { row: '!(p q)', pattern: not(seq(a, b)), yes: ['b a'], no: ['a b', 'a'] },
  { row: '!(p q r)', pattern: not(seq(a, b, c)), yes: ['a c b', 'b a c', 'c b a'], no: ['a b c'] },
  {
    row: 'regions',
    pattern: seq(ev('in', 't1', '<r'), ev('a', 't1'), ev('b', 't2'), ev('out', 't1', '>r')),
    yes: ['in a 2:b out', 'in in out a 2:b out', 'in in a 2:b out out'],
    no: ['in a out 2:b in out', 'in a 2:b 2:out', 'in a out 2:b out'],
  },
  { row: 'a || b', pattern: par(a, b), yes: ['a 2:b', '2:b a'], no: ['a b', 'a'] },
  {
    row: 'a || b in a region',
    pattern: seq(ev('in', 't1', '<r'), par(ev('a', 't1'), ev('b', 't2')), ev('out', 't1', '>r')),
    yes: ['in a 2:b out', 'in a 2:b'],
    no: ['in a out 2:b', 'a 2:b out'],
  },
  { row: '(a*)*', pattern: seq(star(star(a)), b), yes: ['b', 'a b'], no: ['a'] },
]

describe.each(ROWS)('$row', ({ pattern, yes, no }) => {
  test.each(yes.map((text) => [text]))('is in %s', (text) => expect(shows(pattern, text)).toBe(true))
  test.each(no.map((text) => [text]))('is not in %s', (text) => expect(shows(pattern, text)).toBe(false))
})

test('an order that always holds leaves nothing at once', () => {
  const { trace } = traceOf(callsOf('a 2:b'))
  const property_ = property([], EVENTS, par(a, b))
  expect(violations(property_, runOf(trace)).length).toBe(1)
  expect(
    violations(
      property_,
      runOf(trace, undefined, (x, y) => x < y),
    ),
  ).toEqual([])
})

test('`shown` is what a run must show', () => {
  const { trace } = traceOf(callsOf('a'))
  expect(violations(property([], EVENTS, seq(a, b), a), runOf(trace)).length).toBe(1)
})

const ITERATOR = property(
  ['c', 'i'],
  [
    call('create', '*.iterator', { target: 'c', returns: 'i', when: 'after' }),
    call('update', '*.add*|*.remove*', { target: 'c', when: 'after' }),
    call('next', '*.next', { target: 'i' }),
  ],
  seq(ev('create'), star(ev('next')), plus(ev('update')), ev('next')),
)

/** Seed 003, Figure 2: 1 add, (2 start), 3 iterator, 4 next | 5 add, 6 iterator, 7 next. */
const FIGURE_2: Call[] = [
  { task: 0, name: 'List.add', target: { object: 'List#1' }, when: 'after' },
  { task: 0, name: 'List.iterator', target: { object: 'List#1' }, returns: { object: 'Iterator#1' }, when: 'after' },
  { task: 0, name: 'Iterator.next', target: { object: 'Iterator#1' } },
  { task: 1, name: 'List.addAll', target: { object: 'List#1' }, when: 'after' },
  { task: 1, name: 'List.iterator', target: { object: 'List#1' }, returns: { object: 'Iterator#2' }, when: 'after' },
  { task: 1, name: 'Iterator.next', target: { object: 'Iterator#2' } },
]

test('UnsafeIterator on Figure 2 of seed 003: one instance, 3-5-4', () => {
  const { trace, heads } = traceOf(FIGURE_2)
  // The second thread is started after the first add.
  const run = runOf(trace, undefined, (x, y) => x === heads[0] && trace.taskOf(y) === 1)
  expect(violations(ITERATOR, run)).toEqual([])
  const found = [...instances(ITERATOR, run)]
  expect(found.map(({ slots }) => slots.map((slot) => `${slot.name} ${heads.indexOf(slot.event)}`))).toEqual([
    ['create 1', 'update 3', 'next 2'],
  ])
  expect(found[0]!.before).toEqual([
    [0, 1],
    [1, 2],
  ])
  expect([...found[0]!.binding].map((code) => trace.tables.values.textOf(code))).toEqual(['#List#1', '#Iterator#1'])
  expect(found[0]!.observed).toBe(false)
  // And the run in that order shows it.
  const order = Int32Array.from([0, 1, 3, 2, 4, 5].flatMap((i) => [heads[i]!, ...(i === 1 || i === 4 ? [heads[i]! + 1] : [])]))
  const shown = violations(ITERATOR, runOf(trace, order))
  expect(shown.map(({ slots }) => slots.map(({ name }) => name))).toEqual([['create', 'update', 'next']])
})

test('two parameters and a guard: given back, not lent again, used', () => {
  const access = property(
    ['p', 'c'],
    [
      call('lend', 'Pool+.connect', { target: 'p', returns: 'c', when: 'after' }),
      call('give', 'Pool+.release', { target: 'p', arg: 'c' }),
      call('use', 'Client.query', { target: 'c' }),
    ],
    seq(ev('give'), not(ev('lend')), ev('use')),
  )
  const pool = { object: 'BoundPool#1' }
  const client = (n: number) => ({ object: `Client#${n}` })
  const lend = (n: number): Call => ({ task: 0, name: 'BoundPool:Pool.connect', target: pool, returns: client(n), when: 'after' })
  const give = (n: number): Call => ({ task: 0, name: 'BoundPool:Pool.release', target: pool, args: [client(n)] })
  const use = (n: number): Call => ({ task: 1, name: 'Client.query', target: client(n) })
  const count = (...calls: Call[]): number => violations(access, runOf(traceOf(calls).trace)).length
  expect(count(lend(1), use(1), give(1), lend(1), use(1))).toBe(0)
  expect(count(lend(1), give(1), lend(2), use(1))).toBe(1)
  expect(count(lend(1), give(1), give(2), use(1), use(2))).toBe(2)
})

test('a hot loop gives a few instances of each cause, and says how many steps it took', () => {
  const calls = Array.from({ length: 2000 }, (_, i): Call => ({ task: i % 2, name: i % 2 === 0 ? 'X.a' : 'X.b' }))
  const counts = { instances: 0, observed: 0, capped: 0, steps: 0, exhausted: false }
  const found = [...instances(property([], EVENTS, seq(a, b)), runOf(traceOf(calls).trace), { counts })]
  expect(found.length).toBe(64)
  expect(counts.capped).toBeGreaterThan(0)
  expect(counts.steps).toBeLessThan(10_000)
  expect(counts.exhausted).toBe(false)
  // Not all with the same beginning.
  expect(new Set(found.map(({ slots }) => slots[0]!.event)).size).toBeGreaterThan(2)
})

test('a budget ends the enumeration', () => {
  const calls = Array.from({ length: 200 }, (_, i): Call => ({ task: i % 2, name: i % 2 === 0 ? 'X.a' : 'X.b', site: `line ${i}` }))
  const counts = { instances: 0, observed: 0, capped: 0, steps: 0, exhausted: false }
  const found = [...instances(property([], EVENTS, seq(a, b, a)), runOf(traceOf(calls).trace), { counts, budget: 1000 })]
  expect(counts.exhausted).toBe(true)
  expect(found.length).toBeLessThan(1001)
})

test('a window bounds what is kept', () => {
  const calls = Array.from({ length: 6000 }, (_, i): Call => ({ task: 0, name: i % 2 === 0 ? 'X.a' : 'X.c', target: { object: `X#${i}` } }))
  const pairs = property(['o'], [call('a', 'X.a', { target: 'o' }), call('b', 'X.b', { target: 'o' })], seq(a, b))
  const [whole, bounded] = [newMonitorCounts(), newMonitorCounts()]
  violations(pairs, runOf(traceOf(calls).trace), Infinity, { counts: whole })
  violations(pairs, runOf(traceOf(calls).trace), Infinity, { counts: bounded, window: 500 })
  expect(whole.tokens).toBe(3000)
  expect(whole.evicted).toBe(0)
  expect(bounded.tokens).toBeLessThan(1000)
  expect(bounded.evicted).toBeGreaterThan(1500)
})
