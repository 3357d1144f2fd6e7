/** What the oracle has shown `check` to miss or to call by another name. Each test asserts what happens today, and fails on the day that it is better. */
import { expect, test } from 'vitest'
import { checkLitmus, failed } from './check-litmus.ts'

test('a check and an act that can be parted are called a stale read', async () => {
  // The read can come before the write of the other thread. That the reader acts on what it saw is not part of the name.
  const text = `var free = 1, used = 0
thread A:
  if free == 1 {
    free = 0
    add used 1
  }
thread B:
  if free == 1 {
    free = 0
    add used 1
  }
final assert used == 1`
  const patterns = failed(await checkLitmus(text)).map(({ prediction }) => prediction.pattern)
  expect(patterns).toContain('stale read')
  expect(patterns).not.toContain('check-then-act')
})
