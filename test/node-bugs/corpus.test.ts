/**
 * Real bugs in published packages, one of each class: found from one passing run, confirmed by failing, and not found where they are fixed. corpus.all.test.ts has all of
 * them.
 */
import { describe, expect, test } from 'vitest'
import { ALL } from '../layer.ts'
import { CORPUS } from './cases.ts'
import { alarmAboutFixed, expectHonest, missedBug } from './expect.ts'

/** A check and an act on files, and an end before an answer. */
const ONE_OF_EACH = new Set(['mkdirp', 'pg-pool'])

// The other file has these, too, in the same folders.
describe.skipIf(ALL).each(CORPUS.filter(({ name }) => ONE_OF_EACH.has(name)))('$name $buggy → $fixed', (bug) => {
  test('the driver passes by itself, and fails where the bad order is forced', () => expectHonest(bug))
  test('the bug is found', async () => expect(await missedBug(bug)).toBe(''))
  test('the fixed version stays silent', async () => expect(await alarmAboutFixed(bug)).toBe(''))
})
