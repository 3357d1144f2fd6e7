/** A wrong program is FAILED, its right version is not: with the JDK at hand, and with every other one of this machine where everything runs. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALL } from '../layer.ts'
import { noJava, otherJdks, place, versionOf } from './java.ts'

describe.skipIf(noJava !== '')(`check${noJava}`, () => {
  const here = place()
  const javas = noJava === '' ? ['java', ...(ALL ? otherJdks().map((home) => join(home, 'bin/java')) : [])] : []

  for (const java of javas) {
    describe(`JDK ${versionOf(java)}`, () => {
      test('a lost update is FAILED', async () => {
        const { code, out, err } = await here.check(['--replays', '12'], [java, '-cp', 'classes', 'Wrong'])
        expect(out, err).toMatch(/^1\. FAILED 3 of 3 replays: lost update on Wrong\.count$/m)
        expect(out).toContain('java.lang.IllegalStateException: count is 1')
        expect(code).toBe(1)
      })

      test('with a lock it is silent', async () => {
        const { code, out, err } = await here.check(['--replays', '8'], [java, '-cp', 'classes', 'Right'])
        expect(out, err).toContain('No failure was found')
        expect(out).toMatch(/^two$/m)
        expect(code).toBe(0)
      })
    })
  }

  test.each(['PoolEnds', 'Futures'])('what was done for a pool or a future is seen by who knows that it has ended: %s', async (name) => {
    const { code, out, err } = await here.check(['--replays', '4'], ['java', '-cp', 'classes', name])
    expect(out, err).toContain('No failure was found')
    expect(out).toMatch(/(\d+) pairs: \1 impossible/)
    expect(code).toBe(0)
  })

  test('what is not modelled is named, with its place', async () => {
    const { out, err } = await here.check(['--replays', '0'], ['java', '-cp', 'classes', 'Converts'])
    expect(out.replace(/\s+/g, ' '), err).toContain(
      'StampedLock is not modelled: what is called at Converts.add(Converts.java:10) gives no order',
    )
  })
})
