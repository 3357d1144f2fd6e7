/** All applications with real servers. One file: they share a folder with their packages. */
import { describe, test } from 'vitest'
import { detects, staysSilent } from '../rates.ts'
import { APPS, cannotRun, installApps } from './apps.ts'
import { alarm, expectHonest, missed } from './checks.ts'

await installApps()
const THERE = APPS.filter((app) => cannotRun(app) === '')

describe('an application passes by itself, its wrong version fails where the bad order is forced', () => {
  test.each(THERE)('$name', expectHonest)
})
describe.skipIf(THERE.length === APPS.length)('cannot be run here', () => {
  test.skip.each(APPS.filter((app) => !THERE.includes(app)).map((app) => ({ ...app, why: cannotRun(app) })))('$name: $why', () => {})
})

detects('Applications with databases, wrong', THERE, 0.9, missed)
staysSilent('Applications with databases, right', THERE, alarm)
