/** The families that partial-order reduction is measured with: never more classes than an optimal reduction has runs, and one run for each. */
import { expect, test } from 'vitest'
import { compile } from '../frontends/litmus/compile.ts'
import { Threads } from '../frontends/litmus/threads.ts'
import { exploreLitmus } from './explore-litmus.ts'
import { exponential, fib, lastzero, PUBLISHED, readers } from './families.ts'
import { mazurkiewicz } from './mazurkiewicz.ts'

const threadsOf = (text: string): Threads => new Threads(compile(`${text}\n`))

test.each([
  ['readers', readers, 5],
  ['lastzero', lastzero, 5],
] as const)('%s: as many classes and runs as the published number of runs', (name, family, n) => {
  const { frontier, runs } = exploreLitmus(threadsOf(family(n)), undefined)
  expect({ classes: frontier.classCount, runs }).toEqual({ classes: PUBLISHED[name]!(n), runs: PUBLISHED[name]!(n) })
})

test('the published numbers are those of enumeration', () => {
  expect(mazurkiewicz(threadsOf(readers(3)), 100_000)).toBe(PUBLISHED['readers']!(3))
  expect(mazurkiewicz(threadsOf(lastzero(3)), 100_000)).toBe(PUBLISHED['lastzero']!(3))
})

test('fib: one run for each class, and no more than an optimal reduction makes', () => {
  const { frontier, runs } = exploreLitmus(threadsOf(fib(2)), undefined)
  expect(runs).toBe(frontier.classCount)
  expect(runs).toBeLessThanOrEqual(mazurkiewicz(threadsOf(fib(2)), 100_000)!)
})

test('exponential: writes of the same value make no classes', () => {
  const { frontier, runs } = exploreLitmus(threadsOf(exponential(1)), undefined)
  expect(frontier.undecided).toEqual({})
  expect(runs / frontier.classCount).toBeLessThan(1.1)
  // An optimal reduction makes 1,959 runs, by enumeration (mazurkiewicz.ts).
  expect(runs).toBeLessThan(196)
})
