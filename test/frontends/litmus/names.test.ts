/** Names of small programs that are not obvious. */
import { expect, test } from 'vitest'
import { checkLitmus, failed } from './check-litmus.ts'

test('a check and an act that can be parted are called check-then-act', async () => {
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
  expect(patterns).toContain('check-then-act')
})
