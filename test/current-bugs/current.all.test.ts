/**
 * Bugs in current versions of packages that many use, found with the short drivers beside this file: a look at the code of each is in docs/bugs-found.md. Told `right`, a
 * driver does the same in a way that the bug does not reach.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installPackages, ROOT } from '../node-bugs/install.ts'
import { check, node, told } from '../node-bugs/run.ts'

interface Current {
  readonly name: string
  readonly packages: Readonly<Record<string, string>>
  /** Of the headline. */
  readonly location: RegExp
}

const CURRENT: readonly Current[] = [
  { name: 'ensure-file', packages: { 'fs-extra': '11.4.1' }, location: /audit\.log$/ },
  { name: 'move', packages: { 'fs-extra': '11.4.1' }, location: /done\/invoice\.txt$/ },
  { name: 'stale-lock', packages: { 'proper-lockfile': '4.1.2' }, location: /data\.json\.lock$/ },
  { name: 'session', packages: { express: '5.3.0', 'express-session': '1.19.0' }, location: /Object#\d+\.[\w-]{20,}/ },
  { name: 'write-queue', packages: { 'node-persist': '4.0.4' }, location: /processingWriteQueue|\.q\b/ },
]

const BUDGET = ['--replays', '60', '--time', '600']

async function placeOf({ name, packages }: Current): Promise<string> {
  const dir = join(ROOT, '.heddle/current-bugs', name)
  await installPackages(dir, packages)
  copyFileSync(join(ROOT, 'test/current-bugs/drivers', `${name}.mjs`), join(dir, 'driver.mjs'))
  return dir
}

describe.each(CURRENT)('$name', (bug) => {
  test('passes by itself, and fails under a schedule at the right place', async () => {
    const dir = await placeOf(bug)
    expect((await node(['driver.mjs'], dir)).code).toBe(0)
    const checked = await check(['driver.mjs'], BUDGET, dir)
    const [first] = checked.failed
    expect(checked.code, told(checked)).toBe(1)
    expect(first!.locations.join(' '), told(checked)).toMatch(bug.location)
    expect(first!.replays.failures, told(checked)).toBe(first!.replays.runs)
  })

  test('stays silent where the bug is not reached', async () => {
    const dir = await placeOf(bug)
    const checked = await check(['driver.mjs', 'right'], BUDGET, dir)
    expect(checked.code, told(checked)).toBe(0)
  })
})
