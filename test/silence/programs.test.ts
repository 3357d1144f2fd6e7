/** Correct programs stay silent, a few of them; programs.all.test.ts has all of them. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../node-bugs/install.ts'
import { alarm } from './checked.ts'

const PROGRAMS = join(ROOT, 'test/silence/programs')
const cwd = mkdtempSync(join(tmpdir(), 'heddle-silence-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

test('there are enough of them', () => expect(readdirSync(PROGRAMS).length).toBeGreaterThanOrEqual(18))

test.each(['atomic-rename.cjs', 'http.js', 'semaphore.js'])('%s', async (name) => {
  expect(await alarm(join(PROGRAMS, name), cwd)).toBe('')
})
