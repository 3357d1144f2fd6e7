/** Ways to end: the exit status is unchanged, and the runtime has recorded the site. */
import { beforeAll, describe, expect, test } from 'vitest'
import { compiled, skipped, under } from './under.ts'

describe.skipIf(skipped !== '')(`ends${skipped}`, () => {
  let program: string
  beforeAll(() => {
    program = compiled('ends.c')
  })

  test.each([
    ['segv', 'SIGSEGV', 11, 'main'],
    ['segv-in-thread', 'SIGSEGV', 11, 'thread 1'],
    ['call-nothing', 'SIGSEGV', 11, 'main'],
    ['overflow', 'SIGSEGV', 11, 'main'],
    ['overflow-in-thread', 'SIGSEGV', 11, 'thread 1'],
    ['divide', 'SIGFPE', 8, 'main'],
    ['trap', 'SIGILL', 4, 'main'],
    ['killed', 'SIGSEGV', 11, 'main'],
    ['assert', 'SIGABRT', 0, 'main'],
    ['abort', 'SIGABRT', 0, 'main'],
  ])('%s', (how, name, number, thread) => {
    const { signal, result } = under(program, [how])
    expect({ signal, code: result.code }).toEqual({ signal: name, code: undefined })
    expect(result.crash).toMatchObject({ signal: number, thread })
    expect(result.crash!.stack.length).toBeGreaterThan(1)
  })

  test("the program's own handler has its way", () => {
    const { code, out, result } = under(program, ['handled'])
    expect({ code, out, end: result.code, crash: result.crash?.signal }).toEqual({ code: 9, out: 'caught 11\n', end: 9, crash: 11 })
  })

  test.each([
    ['exit', 7, 'handler\n'],
    ['_exit', 8, ''],
    ['quick', 6, ''],
    ['exit-in-thread', 5, 'handler\n'],
    ['return', 4, 'handler\n'],
  ])('%s', (how, code, out) => {
    const ran = under(program, [how])
    expect({ code: ran.code, out: ran.out, end: ran.result.code }).toEqual({ code, out, end: code })
  })
})
