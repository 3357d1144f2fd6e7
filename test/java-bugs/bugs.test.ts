/** One published bug of a Java library; bugs.all.test.ts has all. */
import { describe, expect, test } from 'vitest'
import { alarm, cannot, CASES, missed } from './cases.ts'

describe.skipIf(cannot !== '')(`bugs of Java libraries${cannot}`, () => {
  const one = CASES.find(({ name }) => name === 'FunctionalJava')!

  test('a memo that gives null to who comes second is FAILED', async () => expect(await missed(one)).toBe(''))

  test('the version in which that was mended is silent', async () => expect(await alarm(one)).toBe(''))
})
