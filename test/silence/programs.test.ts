/** Correct programs: whatever order Heddle tries, nothing fails, and what they print stays as it is. */
import { readdirSync } from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../node-bugs/install.ts'
import { check, node, told } from '../node-bugs/run.ts'

const PROGRAMS = join(ROOT, 'test/silence/programs')
const cwd = mkdtempSync(join(tmpdir(), 'heddle-silence-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const programs = readdirSync(PROGRAMS)

test('there are enough of them', () => expect(programs.length).toBeGreaterThanOrEqual(18))

test.each(programs)('%s', async (name) => {
  const plain = await node([join(PROGRAMS, name)], cwd)
  expect(plain, name).toMatchObject({ code: 0, err: '' })
  const checked = await check([join(PROGRAMS, name)], ['--time', '8'], cwd)
  expect(checked.failed, told(checked)).toEqual([])
  expect(checked).toMatchObject({ code: 0, program: plain.out })
})
