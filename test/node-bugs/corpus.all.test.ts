/**
 * All bugs in published packages. Those further ones were chosen apart from the corpus, but Heddle has been mended after them since. What is missed today is in its row of
 * cases.ts, and has to stay missed until that is taken away.
 */
import { describe, expect, test } from 'vitest'
import { detects, staysSilent } from '../rates.ts'
import { CORPUS, FURTHER } from './cases.ts'
import { alarmAboutFixed, expectHonest, missedBug } from './expect.ts'

const ALL = [...CORPUS, ...FURTHER]

describe('drivers pass by themselves, and fail where the bad order is forced', () => {
  test.each(ALL)('$name', expectHonest)
})

const MISSED = ALL.filter(({ missed }) => missed !== undefined)
if (MISSED.length > 0) {
  describe('not found today', () => {
    test.each(MISSED)('$name: $missed', async (bug) => expect(await missedBug(bug)).not.toBe(''))
  })
}

detects(
  'bugs in npm packages',
  ALL.filter((bug) => !MISSED.includes(bug)),
  0.9,
  missedBug,
)
staysSilent('the same packages, fixed', ALL, alarmAboutFixed)
