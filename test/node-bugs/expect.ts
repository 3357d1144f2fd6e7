/** What is expected of every case: the driver is honest, the bug is found in the package, and the fixed version stays silent. */
import { beforeAll, expect, test } from 'vitest'
import type { BugCase } from './cases.ts'
import { installCase } from './install.ts'
import { check, node, sitesOf, told, type Checked } from './run.ts'

/** Seconds for analysis and replays of one check: the whole set is to end within ten minutes. */
const TIME = '20'
const ATTEMPTS = 3

export function expectCase(bug: BugCase): void {
  const options = ['--time', TIME, ...(bug.timers ? ['--timers', bug.timers] : [])]
  let dir = ''
  beforeAll(async () => {
    dir = await installCase(bug)
  })

  test('the driver passes by itself, and fails where the bad order is forced', async () => {
    for (const words of [['buggy'], ['fixed'], ['fixed', 'forced']]) {
      let ran = await node(['driver.cjs', ...words], dir)
      // Nearly always: the drivers wait some ten milliseconds for each other, which a busy machine can use up.
      for (let again = 1; again < ATTEMPTS && ran.code !== 0; again++) ran = await node(['driver.cjs', ...words], dir)
      expect(ran, words.join(' ')).toMatchObject({ code: 0, out: expect.stringMatching(/^PASS /) })
    }
    expect(await node(['driver.cjs', 'buggy', 'forced'], dir)).toMatchObject({ code: 1, out: expect.stringMatching(/^FAIL /m) })
  })

  test(bug.missed ? `not found today: ${bug.missed}` : 'the bug is found', async () => {
    let checked = await check(['driver.cjs', 'buggy'], options, dir)
    // A busy machine may let a run take another course, as above.
    for (let again = 1; again < ATTEMPTS && namedAt(checked, bug) < 0; again++) checked = await check(['driver.cjs', 'buggy'], options, dir)
    expect(verdict(checked.program)).toBe('PASS buggy/natural')
    const inPackage = checked.failed.filter((finding) => sitesOf(finding).includes('node_modules/buggy/'))
    if (bug.missed) expect(inPackage, told(checked)).toEqual([])
    else expect(inPackage.length, told(checked)).toBeGreaterThan(0)
    if (bug.property === undefined) return
    // Among the first that are tried, and with the property named.
    const named = namedAt(checked, bug)
    expect(named, told(checked)).toBeGreaterThanOrEqual(0)
    expect(named).toBeLessThan(10)
  })

  test('the fixed version stays silent', async () => {
    const checked = await check(['driver.cjs', 'fixed'], options, dir)
    expect(verdict(checked.program)).toBe('PASS fixed/natural')
    expect(checked.failed.map(sitesOf), told(checked)).toEqual([])
    expect(checked.code).toBe(0)
  })
}

/** Which finding names the property; 0 where none is asked for. */
const namedAt = ({ json }: Checked, { property }: BugCase): number =>
  property === undefined ? 0 : json.findings.findIndex((f) => f.status === 'FAILED' && f.violation?.property === property)

/**
 * The first two words of the last line: what comes after them varies (ports, for example), and what comes before is a run that Heddle threw
 * away because it did not pass.
 */
const verdict = (printed: string): string => /^\S+ \S+/.exec(printed.trimEnd().split('\n').at(-1)!)?.[0] ?? printed
