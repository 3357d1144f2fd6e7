/** Programs that do nothing wrong: the same result in every mode, and silence. */
import { beforeAll, describe, expect, test } from 'vitest'
import { compiled, skipped, under } from './under.ts'

const MODES = [
  { mode: 'record', poison: false },
  { mode: 'record', poison: true },
  { mode: 'replay', poison: true },
  { mode: 'plain', poison: false },
] as const

describe.skipIf(skipped !== '')(`unchanged${skipped}`, () => {
  let heavy: string
  let talk: string
  beforeAll(() => {
    heavy = compiled('heavy.cc')
    talk = compiled('talk.c')
  })

  test.each(MODES)('memory, from constructors to the destructors of threads: $mode, poison $poison', (config) => {
    const { code, out, result } = under(heavy, [], config)
    expect({ code, out, end: result.code }).toEqual({ code: 0, out: 'total 7353 names 100\n', end: 0 })
    expect(result.violations).toEqual([])
  })

  test.each(MODES)('pipes, sockets, a cancelled thread, lines: $mode, poison $poison', (config) => {
    const { code, out, result } = under(talk, [], { ...config, input: 'a\nb\nc\n' })
    expect({ code, out, end: result.code }).toEqual({ code: 0, out: 'counter 131 lines 3\n', end: 0 })
    expect(result.violations).toEqual([])
  })
})
