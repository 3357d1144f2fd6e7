import { expect, test } from 'vitest'
import type { CheckDocument } from '../../src/report/document.ts'
import { junitReport } from '../../src/report/junit.ts'
import { documentWith, everyFinding, evilDocument, findingWith } from './findings.ts'
import { parseXml, type Element } from './xml.ts'

function suite(document: CheckDocument): Element {
  const all = parseXml([...junitReport(document)].join(''))
  expect(all.name).toBe('testsuites')
  const [one] = all.children
  const cases = one!.children.filter((child) => child.name === 'testcase')
  const having = (name: string): number => cases.filter((c) => c.children.some((child) => child.name === name)).length
  for (const { attributes } of [all, one!])
    expect(attributes).toMatchObject({
      tests: String(cases.length),
      failures: String(having('failure')),
      errors: String(having('error')),
      skipped: String(having('skipped')),
    })
  return one!
}

test('a failure has the text of the terminal, what did not fail is skipped', () => {
  const one = suite(documentWith(everyFinding()))
  const cases = one.children.filter((child) => child.name === 'testcase')
  expect(cases).toHaveLength(42)
  expect(cases.slice(0, 7).every((c) => c.children[0]!.name === 'failure')).toBe(true)
  expect(cases.slice(7).every((c) => c.children[0]!.name === 'skipped')).toBe(true)
  const hang = cases.find((c) => c.attributes['name']!.startsWith('deadlock'))!
  expect(hang.attributes).toEqual({ name: 'deadlock (03adbeef)', classname: 'locks.mjs', file: 'locks.mjs', line: '9' })
  expect(hang.children[0]!.attributes).toEqual({ message: 'The program never ends: worker 1 waits for lock b.', type: 'hang' })
  expect(hang.children[0]!.text).toMatch(/^FAILED 3 of 3 replays: deadlock on lock a, lock b\n[^]*heddle replay 03adbeef/)
  expect(one.attributes).toMatchObject({ name: 'heddle check -- node shop.js', timestamp: '2026-11-16T10:00:00' })
})

test('nothing failed: one test passes, and how much was looked at is said', () => {
  const one = suite(documentWith([]))
  expect(one.children[0]).toMatchObject({ name: 'testcase', attributes: { name: 'no failure was found' }, children: [] })
  expect(one.children.at(-1)!.text).toContain('Looked at: 214 turns')
  const predicted = suite(documentWith([findingWith('atomicity', 'PREDICTED')]))
  expect(predicted.children.map((child) => child.attributes['name'])).toEqual([
    'no failure was found',
    'check-then-act in buy (a70a1c17)',
    undefined,
  ])
})

test('a check that was cut short, or that could say nothing, is not green', () => {
  expect(suite(documentWith([], { complete: false })).children[0]!.children[0]!.name).toBe('error')
  expect(suite(documentWith([], { varies: ['exit code 1'] })).children[0]!.children[0]!.attributes['message']).toContain('exit code 1')
})

test('hostile names stay text in the XML', () => {
  const text = JSON.stringify(suite(evilDocument()))
  expect(text).toContain('<script>alert(1)</script>]]>')
})
