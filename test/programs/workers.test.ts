/** A few programs with worker threads, unlike each other; workers-wrong.all.test.ts and workers-right.all.test.ts have all of them. */
import { describe, expect, test } from 'vitest'
import { alarm, missed, RIGHT, WRONG } from './workers.ts'

/** A lost update, two locks in opposite orders, a notify before the wait. */
const SAMPLE = { wrong: new Set(['counter', 'locks-two', 'wake-up']), right: new Set(['counter', 'locks-two']) }

test('there are as many right ones as wrong ones, or more, and every wrong one has its right version', () => {
  expect(WRONG.length).toBeGreaterThanOrEqual(17)
  expect(RIGHT.map(({ name }) => name)).toEqual(expect.arrayContaining(WRONG.map(({ name }) => name)))
})

describe('wrong', () => {
  test.each(WRONG.filter(({ name }) => SAMPLE.wrong.has(name)))('$name', async (program) => expect(await missed(program)).toBe(''))
})

describe('right', () => {
  test.each(RIGHT.filter(({ name }) => SAMPLE.right.has(name)))('$name', async (program) => expect(await alarm(program)).toBe(''))
})
