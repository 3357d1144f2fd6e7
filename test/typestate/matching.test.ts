/** Typestates on traces, through matching: objects and tuples of objects. */
import { expect, test } from 'vitest'
import type { EventDeclaration, Typestate } from '../../src/property/ast.ts'
import { machineViolations } from '../../src/property/machine.ts'
import { typestatePairs } from '../../src/predict/typestate/pairs.ts'
import { parseText } from '../../src/trace/text.ts'
import { validate } from '../../src/trace/validate.ts'
import { FILE, machine, threads } from './machines.ts'

const drawn = (text: string): ReturnType<typeof threads> => threads(validate(parseText(text, 'drawing')))
const named = (name: string) => ({ kind: 'name', name }) as const

test('operations without an event line are calls of that name on the parameter', () => {
  const run = drawn(`
    T1                        T2
    call(FileHandle.open)=#f
    fork(T2)
    call(Other.close)=#g
                              call(FileHandle.read)=#f
    call(FileHandle.close)=#f
  `)
  const { causes, counts } = typestatePairs(FILE, run)
  expect(causes.map((c) => [c.operations, c.pairs.length])).toEqual([[['read', 'close'], 1]])
  expect(run.trace.tables.values.textOf(causes[0]!.pairs[0]!.binding[0]!)).toBe('#f')
  expect(counts.operations).toBe(4)
  expect(machineViolations(FILE, run)).toEqual([])
})

test('numbers are objects, too: file descriptors as arguments', () => {
  const event = (name: string): EventDeclaration => ({
    name,
    when: 'before',
    source: { kind: 'call', names: [{ owner: 'fs', subclasses: false, method: name }] },
    args: { places: [named('fd')], more: true },
  })
  const fd: Typestate = { ...FILE, parameters: [{ type: 'fd', name: 'fd' }], events: ['read', 'close'].map(event) }
  const run = drawn(`
    T1              T2
                    call(fs.read)
                    arg(1)=3
    call(fs.close)
    arg(1)=4
    call(fs.close)
    arg(1)=3
  `)
  const [cause, ...others] = typestatePairs(fd, run).causes
  expect(others).toEqual([])
  expect(cause!.pairs[0]!.binding.length).toBe(1)
  expect(run.trace.tables.values.textOf(cause!.pairs[0]!.binding[0]!)).toBe('3')
})

const call = (name: string, when: EventDeclaration['when'], owner: string, operands: Partial<EventDeclaration>): EventDeclaration => ({
  name,
  when,
  source: { kind: 'call', names: [{ owner, subclasses: false, method: name }] },
  ...operands,
})

/** A cursor of a connection: both are bound by every operation. */
const CURSOR: Typestate = {
  ...machine('Cursor', { NONE: { open: 'GOOD' }, GOOD: { fetch: 'GOOD', close: 'NONE' } }),
  parameters: [
    { type: 'connection', name: 'c' },
    { type: 'number', name: 'n' },
  ],
  events: ['open', 'fetch', 'close'].map((name) =>
    call(name, 'before', 'Connection', { target: named('c'), args: { places: [named('n')], more: false } }),
  ),
}

test('with several parameters the object is the tuple', () => {
  const run = drawn(`
    T1                        T2
    call(Connection.open)=#c
    arg(1)=1
    call(Connection.open)=#c
    arg(1)=2
    call(Connection.open)=#d
    arg(1)=1
    fork(T2)
                              call(Connection.fetch)=#c
                              arg(1)=2
    call(Connection.close)=#c
    arg(1)=1
    call(Connection.close)=#d
    arg(1)=1
    call(Connection.close)=#c
    arg(1)=2
    call(Connection.fetch)=#c
    arg(1)=1
  `)
  const { causes, counts } = typestatePairs(CURSOR, run)
  expect(causes.map((c) => [c.operations, c.occurrences])).toEqual([[['fetch', 'close'], 1]])
  const texts = (binding: Int32Array): string[] => Array.from(binding, (code) => run.trace.tables.values.textOf(code))
  expect(texts(causes[0]!.pairs[0]!.binding)).toEqual(['#c', '2'])
  expect([counts.operations, counts.shown]).toEqual([8, 1])
  expect(machineViolations(CURSOR, run).map((v) => [v.state, v.operation, texts(v.binding)])).toEqual([['NONE', 'fetch', ['#c', '1']]])
})
