/** What the oracle has shown `check` to miss or to call by another name. Each test asserts what happens today, and fails on the day that it is better. */
import { expect, test } from 'vitest'
import { checkLitmus, failed } from './check-litmus.ts'
import { compile } from './compile.ts'
import { allOutcomes } from './enumerate.ts'
import { Threads } from './threads.ts'

/** Does some schedule fail? */
const canFail = (text: string): boolean => allOutcomes(new Threads(compile(text))).failures.size > 0

test('two writes under one lock, the order of which shows at the end, are not predicted', async () => {
  // Candidates are about a read and a write of another thread. The only read here comes after both joins.
  const text = `var x = 0
thread A:
  lock m
  x = 1
  unlock m
thread B:
  lock m
  x = 2
  unlock m
final assert x == 2`
  const result = await checkLitmus(text)
  expect(canFail(text)).toBe(true)
  expect(result.findings).toEqual([])
})

test('a thread that read too early does not go on before the others do, and nothing shows', async () => {
  // B has to read 0 and write before A adds. After the last line of a schedule another thread goes on than the one of that line, with lastFirst, too.
  const text = `var x = 0
thread A:
  add x 1
thread B:
  if x == 0 {
    x = 1
  }
final assert x == 1`
  const result = await checkLitmus(text)
  expect(canFail(text)).toBe(true)
  expect(failed(result)).toEqual([])
  expect(result.findings.map(({ status }) => status)).toContain('REPRODUCED')
})

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
