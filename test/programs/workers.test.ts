/** Programs with worker threads, one of each kind and polarity; workers-wrong.all.test.ts and workers-right.all.test.ts have all of them. */
import { describe, expect, test } from 'vitest'
import { alarm, missed, RIGHT, WRONG } from './workers.ts'

/** A lost update, two locks in opposite orders, a read before what it reads is made, a notify before the wait. */
const OF_EACH_KIND = new Set(['counter', 'locks-two', 'hand-over', 'wake-up'])

test('there are as many right ones as wrong ones, or more, and every wrong one has its right version', () => {
  expect(WRONG.length).toBeGreaterThanOrEqual(17)
  expect(RIGHT.map(({ name }) => name)).toEqual(expect.arrayContaining(WRONG.map(({ name }) => name)))
})

describe('wrong', () => {
  test.each(WRONG.filter(({ name }) => OF_EACH_KIND.has(name)))('$name', async (program) => expect(await missed(program)).toBe(''))
})

describe('right', () => {
  test.each(RIGHT.filter(({ name }) => OF_EACH_KIND.has(name) && name !== 'wake-up'))('$name', async (program) =>
    expect(await alarm(program)).toBe(''),
  )
})
