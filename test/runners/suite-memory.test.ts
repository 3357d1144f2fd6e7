/** Which tests of a file the next run looks at. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SuiteMemory } from '../../src/runners/suite-memory.ts'
import { Store } from '../../src/store/store.ts'

const STATE = { gain: 0, replayMs: 500, lookMs: 50 }
const of = (name: string) => ({ file: 'a.test.js', name })

function project(leastMs: number): () => SuiteMemory {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-memory-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = Store.open(folder)
  return () => new SuiteMemory(store, 'a.test.js', leastMs)
}

/** What a run looks at, of these tests, each with what is left of it then. */
function run(memory: SuiteMemory, tests: Readonly<Record<string, { code?: string; left: number; score: number } | undefined>>): string[] {
  const wanted = Object.keys(tests).filter((name) => memory.isWanted(of(name), tests[name]?.code ?? 'c1'))
  for (const [name, left] of Object.entries(tests)) {
    const isLooked = wanted.includes(name) && left !== undefined
    memory.tell(of(name), left?.code ?? 'c1', isLooked ? { orders: left.left, score: left.score } : undefined, STATE)
  }
  memory.save()
  return wanted
}

test('tests that nobody has looked at come first, then those with the likeliest orders, and those without any are not forgotten', () => {
  const next = project(600)
  const seen = { a: { left: 2, score: 1 }, b: { left: 1, score: 9 }, c: { left: 0, score: 0 } }
  expect(run(next(), { ...seen, d: undefined })).toEqual(['a', 'b', 'c', 'd'])
  // d, and b, whose order is likelier than those of a.
  expect(run(next(), { ...seen, b: { left: 0, score: 0 }, d: { left: 0, score: 0 } })).toEqual(['b', 'd'])
  expect(run(next(), { ...seen, a: { left: 0, score: 0 } })).toEqual(['a'])
  expect(run(next(), seen)).toEqual(['a', 'b', 'c'])
})

test('a test whose code has changed is new', () => {
  const next = project(1)
  const tests = { a: { left: 1, score: 1 }, b: { left: 1, score: 2 } }
  expect(run(next(), tests)).toEqual(['a', 'b'])
  expect(run(next(), tests)).toEqual(['b'])
  expect(run(next(), { ...tests, a: { code: 'c2', left: 1, score: 1 } })).toEqual(['a', 'b'])
})

test('what the tests of this file left of the budget is known the next time', () => {
  const next = project(1)
  const first = next()
  expect(first.ahead(300)).toBe(0)
  first.tell(of('a'), 'c1', { orders: 0, score: 0 }, { ...STATE, gain: 4300 })
  first.save()
  expect(next().ahead(0)).toBe(4000)
  const later = next()
  later.ahead(1000)
  expect(later.ahead(2000)).toBe(3000)
})

test('what is kept may have been written by anybody', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-memory-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = Store.open(folder)
  const memory = new SuiteMemory(store, 'a.test.js', 1)
  memory.tell(of('__proto__'), 'c1', { orders: 1, score: 1 }, STATE)
  memory.save()
  expect(new SuiteMemory(store, 'a.test.js', 1).isWanted(of('toString'), 'c1')).toBe(true)
})
