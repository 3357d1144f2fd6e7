/** Columns of stack traces, sites, and code that is deep or long. */
import { expect, test } from 'vitest'
import { PATHS_RUNTIME } from '../../../src/instrument/paths/hooks.ts'
import { instrumentPaths } from '../../../src/instrument/paths/instrument.ts'
import { decodeSites } from '../../../src/instrument/sites.ts'
import { referenceHooks } from './reference.ts'

function rewrite(source: string) {
  const result = instrumentPaths(source, { file: 'a.js', kind: 'commonjs', stubs: false, detail: false })
  if ('skipped' in result) throw new Error(result.skipped)
  return result
}

function run(source: string): unknown {
  ;(globalThis as unknown as Record<symbol, unknown>)[Symbol.for(PATHS_RUNTIME)] = referenceHooks().make
  // oxlint-disable-next-line typescript/no-implied-eval
  return (new Function(rewrite(source).code) as () => unknown)()
}

test('columns of calls are columns of the source', () => {
  const source = 'const a = 1\n  f(a, g(a)); o.m.n(1); new K(2)\n'
  const { code, column } = rewrite(source)
  const line = code.split('\n')[1]!
  const at = (text: string): number => column(2, line.indexOf(text) + '$hd.'.length + 1)
  expect(at('$hd.C(0')).toBe(3)
  expect(column(2, line.indexOf('C(1,') + 1)).toBe('  f(a, g'.length)
  expect(at('$hd.M(2')).toBe('  f(a, g(a)); o.m.n'.length)
  expect(at('$hd.W(')).toBe('  f(a, g(a)); o.m.n(1); new K'.length)
  expect(column(2, 900)).toBeLessThanOrEqual(source.split('\n')[1]!.length + 1)
  expect(column(99, 5)).toBe(5)
})

test('sites of decisions name their place and function', () => {
  const { sites } = rewrite('function f(a) {\n  if (a > 1) return a\n  return a && 2\n}')
  expect(decodeSites(sites).map(({ line, column, name }) => `${line}:${column} ${name}`)).toEqual(['1:1 f', '2:7 f', '3:10 f'])
})

test('long sums and long conditions', () => {
  const n = 600
  expect(run(`let x = 1; return ${Array.from({ length: n }, () => 'x').join(' + ')}`)).toBe(n)
  expect(run(`let x = 0; return ${Array.from({ length: 300 }, (_, i) => `x === ${i + 1}`).join(' ||\n')}`)).toBe(false)
  expect((run(`return [${'1, '.repeat(20_000)}]`) as unknown[]).length).toBe(20_000)
})

test('a file nested too deeply is left alone', () => {
  const result = instrumentPaths('['.repeat(20_000) + ']'.repeat(20_000), { file: 'a.js', kind: 'commonjs', stubs: false, detail: false })
  expect(result).toHaveProperty('skipped')
})

test('what does not parse is left alone', () => {
  expect(instrumentPaths('a b', { file: 'a.js', kind: 'commonjs', stubs: false, detail: false })).toHaveProperty('skipped')
})
