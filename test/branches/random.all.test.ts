/**
 * Random small programs, every order of which is tried: a branch that is called schedule-sensitive is one, and most of those that are one are
 * called so. `npx tsx scripts/explore-branches.ts` does the same for many more.
 */
import { expect, test } from 'vitest'
import { ALL, sized } from '../layer.ts'
import { compareTasks, compareThreads, wrongOf, type Comparison } from './random-compare.ts'

/** Seeds with ten to sixty orders each. Where everything runs those of one are replayed, every one. */
const TASKS = sized([7], [4, 7, 27, 41])
const THREADS = sized([6], [6, 9])
const SHARE = 0.8

const all: Comparison[] = []

test.each(TASKS)('tasks, seed %i', async (seed) => {
  const compared = (await compareTasks(seed, ALL && seed === 41))!
  all.push(compared)
  expect(wrongOf(compared), compared.source).toEqual([])
  expect(compared.complaints, compared.source).toEqual([])
  expect(compared.replayed ?? compared.truth, compared.source).toEqual(compared.truth)
})

test.each(THREADS)('threads, seed %i', async (seed) => {
  const compared = (await compareThreads(seed, false))!
  all.push(compared)
  expect(wrongOf(compared), compared.source).toEqual([])
})

test('most flips that exist are found', () => {
  const count = (of: (one: Comparison) => number): number => all.reduce((sum, one) => sum + of(one), 0)
  expect(count(({ found }) => found.length) / count(({ truth }) => truth.length)).toBeGreaterThanOrEqual(SHARE)
})
