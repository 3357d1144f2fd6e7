/** Misuse of memory, descriptors and streams is reported with the thread that ended them, and the program continues. */
import { beforeAll, describe, expect, test } from 'vitest'
import { compiled, skipped, under } from './under.ts'

describe.skipIf(skipped !== '')(`misuse${skipped}`, () => {
  let program: string
  beforeAll(() => {
    program = compiled('violations.c')
  })

  const told = (what: string, poison = true): string[] => {
    const { code, out, result } = under(program, [what], { poison })
    expect({ code, last: out.trim().split('\n').at(-1), end: result.code }).toEqual({ code: 0, last: 'went on', end: 0 })
    return result.violations.map(({ rule, thread, earlier, earlierPc }) => {
      expect(earlier === '').toBe(earlierPc === 0)
      return `${rule} by ${thread}${earlier === '' ? '' : `, ended by ${earlier}`}`
    })
  }

  test.each([
    ['double-free', 'double free by main, ended by thread 1'],
    ['middle', 'bad free by main'],
    ['read', 'use after free by main, ended by thread 1'],
    ['memcpy', 'use after free by main, ended by thread 1'],
    ['strlen', 'use after free by main, ended by main'],
    ['realloc', 'use after free by main, ended by main'],
    ['signal', 'use after free by main, ended by main'],
    ['lock', 'use after free by main, ended by main'],
    ['closed', 'use of a closed descriptor by main, ended by main'],
    ['double-close', 'double close by main, ended by main'],
    ['socket', 'use of a closed descriptor by main, ended by main'],
    ['stream', 'use of a closed stream by main, ended by main'],
  ])('%s', (what, expected) => expect(told(what)).toEqual([expected]))

  test('what was never open was not closed by anybody', () => expect(told('never-open')).toEqual([]))

  test('without poison freed memory is as it was, and a second free does what it does', () => {
    expect(told('read', false)).toEqual([])
    // Whether glibc ends the program then depends on what else it did with the block.
    expect(under(program, ['double-free']).result.violations.map(({ rule }) => rule)).toEqual(['double free'])
  })

  test('freed memory is filled', () => expect(under(program, ['read'], { poison: true }).out).toBe('df\nwent on\n'))

  test('misuse is reported in a replay, too', () => {
    const { result } = under(program, ['double-free'], { mode: 'replay', poison: true })
    expect(result.violations.map(({ rule, earlier }) => `${rule} ${earlier}`)).toEqual(['double free thread 1'])
  })
})
