/** What is expected of every case: the driver is honest, the bug is found in the package, and the fixed version stays silent. */
import { beforeAll, expect, test } from 'vitest'
import type { BugCase } from './cases.ts'
import { installCase } from './install.ts'
import { check, node, sitesOf, told } from './run.ts'

/** Seconds for analysis and replays of one check: the whole set is to end within ten minutes. */
const TIME = '20'

export function expectCase(bug: BugCase): void {
  const options = ['--time', TIME, ...(bug.timers ? ['--timers', bug.timers] : [])]
  let dir = ''
  beforeAll(async () => {
    dir = await installCase(bug)
  })

  test('the driver passes by itself, and fails where the bad order is forced', async () => {
    for (const words of [['buggy'], ['fixed'], ['fixed', 'forced']]) {
      const ran = await node(['driver.cjs', ...words], dir)
      expect(ran, words.join(' ')).toMatchObject({ code: 0, out: expect.stringMatching(/^PASS /) })
    }
    expect(await node(['driver.cjs', 'buggy', 'forced'], dir)).toMatchObject({ code: 1, out: expect.stringMatching(/^FAIL /m) })
  })

  test(bug.missed ? `not found today: ${bug.missed}` : 'the bug is found', async () => {
    const checked = await check(['driver.cjs', 'buggy'], options, dir)
    expect(firstWords(checked.program)).toBe('PASS buggy/natural')
    const inPackage = checked.failed.filter((finding) => sitesOf(finding).includes('node_modules/buggy/'))
    if (bug.missed) expect(inPackage, told(checked)).toEqual([])
    else expect(inPackage.length, told(checked)).toBeGreaterThan(0)
  })

  test('the fixed version stays silent', async () => {
    const checked = await check(['driver.cjs', 'fixed'], options, dir)
    expect(firstWords(checked.program)).toBe('PASS fixed/natural')
    expect(checked.failed.map(sitesOf), told(checked)).toEqual([])
    expect(checked.code).toBe(0)
  })
}

/** What comes after the second word varies: ports, for example. */
const firstWords = (out: string): string => /^\S+ \S+/.exec(out)?.[0] ?? out
