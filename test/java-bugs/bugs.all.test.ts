/** Published bugs of Java libraries: how often the buggy version is FAILED with the symptom of the report, and that the fixed one is silent. */
import { describe, expect, test } from 'vitest'
import { detects, staysSilent } from '../rates.ts'
import { alarm, cannot, CASES, missed } from './cases.ts'

const found = CASES.filter((one) => one.missed === undefined)

detects('Java libraries, buggy', found, 0.8, missed, cannot)
staysSilent('Java libraries, fixed', CASES, alarm, cannot)

describe.skipIf(cannot !== '')(`known misses${cannot}`, () => {
  // The day that one is found it loses its `missed`.
  test.each(CASES.filter((one) => one.missed !== undefined))('$name: $missed', async (one) => expect(await missed(one)).not.toBe(''))
})
