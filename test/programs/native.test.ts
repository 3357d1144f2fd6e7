/** Programs in C and C++, of every kind one, unlike each other; native-wrong.all.test.ts and native-right.all.test.ts have all of them. */
import { describe, expect, test } from 'vitest'
import { alarm, cannot, missed, nativePrograms } from './native.ts'

const SAMPLE = {
  wrong: new Set([
    'counter',
    'locks-three',
    'lost-wakeup',
    'references',
    'destroyed-mutex',
    'closed-descriptor',
    'vector-growth',
    'bakery',
  ]),
  right: new Set(['flag-volatile', 'pool-shutdown', 'lock-back-off', 'queue', 'references', 'sequence-lock', 'cancel', 'bakery']),
}
const sample = (verdict: 'wrong' | 'right') => nativePrograms(verdict).filter(({ name }) => SAMPLE[verdict].has(name))

test('every wrong one says what it expects and has its right version, and there are more right ones', () => {
  const wrong = nativePrograms('wrong')
  const right = nativePrograms('right').map(({ name }) => name)
  expect(wrong.length).toBeGreaterThanOrEqual(34)
  expect(right).toEqual(expect.arrayContaining(wrong.map(({ name }) => name)))
  expect(wrong.filter(({ expects, lines }) => expects.length === 0 || lines.length === 0)).toEqual([])
})

describe.skipIf(cannot !== '')(`wrong ${cannot}`, () => {
  test.each(sample('wrong'))('$name', async (program) => expect(await missed(program)).toBe(''))
})

describe.skipIf(cannot !== '')(`right ${cannot}`, () => {
  test.each(sample('right'))('$name', async (program) => expect(await alarm(program)).toBe(''))
})
