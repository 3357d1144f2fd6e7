/** Seed 001 on C programs: a few of its bugs; native-001.all.test.ts has all of them. */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { alarm, BUGS, missed, PROGRAMS } from './native-001.ts'
import { noNative } from './native-programs.ts'

it('every program is in the table', () => {
  expect(readdirSync(PROGRAMS).sort()).toEqual(BUGS.map(({ name }) => `${name}.c`).sort())
})

describe.skipIf(noNative !== '')(`2ndStrike's bugs ${noNative}`, () => {
  const some = BUGS.filter(({ always }) => always)
  it.each(some)('$name is shown', async (bug) => expect(await missed(bug)).toBe(''))
  it.each(some)('$name, mended, is silent', async (bug) => expect(await alarm(bug)).toBe(''))
})
