/** Programs in Java, three of each verdict, unlike each other; java-wrong.all.test.ts and java-right.all.test.ts have all of them. */
import { describe, expect, test } from 'vitest'
import { alarm, cannot, javaPrograms, missed } from './java.ts'

const SAMPLE = {
  wrong: new Set(['Counter', 'ConditionLost', 'Iterate']),
  right: new Set(['LocksTwo', 'UpgradeRead', 'Snapshot']),
}
const sample = (verdict: 'wrong' | 'right') => javaPrograms(verdict).filter(({ name }) => SAMPLE[verdict].has(name))

test('every wrong one says what it expects and has its right version, and there are more right ones', () => {
  const wrong = javaPrograms('wrong')
  const right = javaPrograms('right').map(({ name }) => name)
  expect(wrong.length).toBeGreaterThanOrEqual(40)
  expect(right.length).toBeGreaterThan(wrong.length)
  expect(right).toEqual(expect.arrayContaining(wrong.map(({ name }) => name)))
  expect(wrong.filter(({ expects, lines }) => expects.length === 0 || lines.length === 0)).toEqual([])
})

describe.skipIf(cannot !== '')(`wrong ${cannot}`, () => {
  test.each(sample('wrong'))('$name', async (program) => expect(await missed(program)).toBe(''))
})

describe.skipIf(cannot !== '')(`right ${cannot}`, () => {
  test.each(sample('right'))('$name', async (program) => expect(await alarm(program)).toBe(''))
})
