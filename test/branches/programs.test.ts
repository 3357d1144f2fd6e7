/** Programs with and without schedule-sensitive branches, a few of each; programs.all.test.ts has all of them. */
import { describe, expect, test } from 'vitest'
import { differs } from './checked.ts'
import { branchPrograms } from './programs.ts'

const SENSITIVE = branchPrograms('sensitive')
const NOT_SENSITIVE = branchPrograms('not-sensitive')

const SAMPLE = new Set(['account', 'closure', 'worker-check-then-use', 'mutex', 'identity', 'worker-message'].map((name) => `${name}.mjs`))

test('there are enough of both, and enough with threads', () => {
  const all = [...SENSITIVE, ...NOT_SENSITIVE]
  expect(all.length).toBeGreaterThanOrEqual(36)
  expect(all.filter(({ name }) => name.startsWith('worker')).length).toBeGreaterThanOrEqual(15)
  expect(SENSITIVE.filter(({ expected }) => expected.length === 0)).toEqual([])
  expect(NOT_SENSITIVE.filter(({ expected }) => expected.length > 0)).toEqual([])
})

describe('sensitive', () => {
  test.each(SENSITIVE.filter(({ name }) => SAMPLE.has(name)))('$name', async (program) => expect(await differs(program)).toBe(''))
})

describe('not sensitive', () => {
  test.each(NOT_SENSITIVE.filter(({ name }) => SAMPLE.has(name)))('$name', async (program) => expect(await differs(program)).toBe(''))
})
