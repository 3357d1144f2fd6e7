/** `heddle predict --property`: text, JSON and what it refuses. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectRefused, heddle, scratch } from '../cli/run.ts'
import { violations } from '../report/schema.ts'

const schema = JSON.parse(readFileSync(new URL('../../docs/finding.schema.json', import.meta.url), 'utf8')) as Record<string, unknown>
const where = scratch()
const file = (name: string, text: string): string => {
  const path = join(where, name)
  writeFileSync(path, text)
  return path
}

const trace = file(
  'iterator.txt',
  `T1                                         T2
fork(T2) @2
call(List:Collection.iterator)=#List#1 @3
ret(List:Collection.iterator)=#List#1 @3
arg(returns)=#Iterator#1 @3
call(Iterator.next)=#Iterator#1 @4
                                           call(List:Collection.add)=#List#1 @5
                                           ret(List:Collection.add)=#List#1 @5
`,
)
const closing = file(
  'closing.prop',
  `typestate Iteration(iterator i) {
  event next before call(Iterator.next) target(i)
  event stop before call(Iterator.stop) target(i)
  OPEN: next -> OPEN, stop -> STOPPED
  STOPPED: stop -> STOPPED
}
`,
)

it('tells a violation of a property of the library, asked by name', () => {
  const { out, code } = heddle('predict', trace, '--property', 'library:UnsafeIterator')
  expect(code).toBe(0)
  expect(out).toContain('1. PREDICTED property UnsafeIterator (c = List#1, i = Iterator#1)')
  expect(out).toContain('List#1 is changed while it is iterated. In this order: create (T1, 3), update (T2, 5), next')
  expect(out).toContain('1 prediction (model ')
})

it('gives JSON as the schema says, with property, binding and events', () => {
  const { out } = heddle('predict', trace, '--property', 'library:UnsafeIterator', '--property', closing, '--json')
  const json = JSON.parse(out) as { findings: Record<string, unknown>[] }
  expect(violations(schema, json)).toEqual([])
  expect(json.findings).toHaveLength(1)
  expect(json.findings[0]).toMatchObject({
    kind: 'property',
    pattern: 'UnsafeIterator',
    events: [3, 7, 5],
    property: { name: 'UnsafeIterator', binding: { c: '#List#1', i: '#Iterator#1' }, names: ['create', 'update', 'next'] },
  })
})

it('the cause has no numbers of objects: the same bug has the same name in another run', () => {
  const { out } = heddle('predict', trace, '--property', 'library:UnsafeIterator', '--json')
  const { findings } = JSON.parse(out) as { findings: { cause: string }[] }
  expect(findings[0]!.cause).toBe(
    'property UnsafeIterator (c=#List, i=#Iterator) List:Collection.iterator ret@3 List:Collection.add ret@5 Iterator.next call@4',
  )
})

it('looks for nothing of the kind unless asked', () => {
  expect(heddle('predict', trace).out).toContain('Nothing was predicted')
  expectRefused(heddle('predict', trace, '--kinds', 'property'), /no property to look for.*--property FILE/)
})

it('refuses what is no property', () => {
  expectRefused(heddle('predict', trace, '--property', 'library:UnsafeIterater'), /Did you mean library:UnsafeIterator/)
  expectRefused(heddle('predict', trace, '--property', join(where, 'missing.prop')), /missing\.prop/)
})
