/** `check` on programs in both polarities, in this process: the wrong ones fail by what is expected, of the right ones nothing is FAILED. */
import { expect, test } from 'vitest'
import { checkLitmus, failed } from './check-litmus.ts'
import { compile } from './compile.ts'
import { allOutcomes } from './enumerate.ts'
import { allLoopOutcomes } from './loop-enumerate.ts'
import { programsOf } from './programs.ts'
import { Threads } from './threads.ts'

const wrong = programsOf('wrong')
const right = programsOf('right')

const failuresOf = (text: string): ReadonlySet<string> => {
  const program = compile(text)
  return program.kind === 'threads' ? allOutcomes(new Threads(program)).failures : allLoopOutcomes(program, 'due').failures
}

test('every wrong program has a right version', () => {
  expect(right.map(({ name }) => name)).toEqual(wrong.map(({ name }) => name))
})

test.each(wrong)('$name is FAILED', async ({ path, text, expects, properties }) => {
  const result = await checkLitmus(path, { properties })
  // Orders that fail in the same way are one finding.
  const said = failed(result)
    .flatMap((finding) => [finding, ...(finding.also ?? [])])
    .map(({ prediction: { kind, pattern } }) => ({ kind, pattern }))
  expect(said).toContainEqual(expects)
  // What violates a property need not fail by itself.
  if (properties.length === 0) expect(failuresOf(text).size).toBeGreaterThan(0)
})

test.each(right)('$name, done right, is not FAILED', async ({ path, text, properties }) => {
  const result = await checkLitmus(path, { properties })
  expect(failed(result)).toEqual([])
  expect(failuresOf(text)).toEqual(new Set())
  // Never silently green.
  expect(result.recording.observed.events).toBeGreaterThan(0)
})
