/** A program whose threads take as many steps as clocks and random numbers say is replayed step by step: they are the same again. */
import { describe, expect, test } from 'vitest'
import { noJava, place } from './java.ts'

describe.skipIf(noJava !== '')(`clocks${noJava}`, () => {
  const here = place()

  test('a lost update between steps that depend on the time is FAILED, and no schedule is given up', async () => {
    const { out, err, code } = await here.check(['--replays', '10'], ['java', '-cp', 'classes', 'Times'])
    expect(out, err).toMatch(/^1\. FAILED 3 of 3 replays: .* on Times\.count$/m)
    expect(out).toContain('java.lang.IllegalStateException: count is 1')
    expect(out).not.toMatch(/diverged/i)
    expect(code).toBe(1)
  })
})
