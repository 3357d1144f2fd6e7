/** The first half of the samples, and what there is of them. */
import { expect, test } from 'vitest'
import { programs, testSamples } from './samples.ts'

test('there are some of both kinds', () => {
  expect(programs.filter((file) => /wrong-/.test(file)).length).toBeGreaterThanOrEqual(28)
  expect(programs.filter((file) => /right-/.test(file)).length).toBeGreaterThanOrEqual(25)
})

testSamples(0)
