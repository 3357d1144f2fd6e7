/** Applications with real servers: each has its expectation beside it, and a few drivers are run without Heddle: wrong ones fail where the bad order is forced, right ones do not. apps.all.test.ts checks all of them with Heddle. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ALL } from '../layer.ts'
import { APPS, cannotRun, installApps, isInSample } from './apps.ts'
import { expectHonest } from './checks.ts'
import { rulesOf } from './meant.ts'

test('every application says what it expects, where, and what protects its right version', () => {
  expect(APPS.filter((app) => rulesOf(app).length === 0).map(({ protection }) => protection)).toEqual([])
  expect(APPS.length).toBeGreaterThanOrEqual(24)
  expect(APPS.filter(({ expected }) => !expected?.at || expected.lines.length < 2)).toEqual([])
})

// The other file has these, too.
describe.skipIf(ALL)('an application passes by itself, its wrong version fails where the bad order is forced', () => {
  beforeAll(installApps)
  for (const app of APPS.filter(isInSample)) {
    const cannot = cannotRun(app)
    test.skipIf(cannot !== '')(`${app.name} ${cannot}`, () => expectHonest(app))
  }
})
