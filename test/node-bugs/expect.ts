/** What is expected of every case: the driver is honest, the bug is found in the package, and the fixed version stays silent. */
import { expect } from 'vitest'
import type { BugCase } from './cases.ts'
import { installCase } from './install.ts'
import { check, node, sitesOf, told, type Checked } from './run.ts'

/** A budget in replays: seconds say something else on every machine. */
const optionsOf = ({ timers }: BugCase): string[] => ['--replays', '80', '--time', '600', ...(timers ? ['--timers', timers] : [])]
const PLAIN_RUNS = 3

/** The driver passes by itself, nearly always, and fails where the bad order is forced. */
export async function expectHonest(bug: BugCase): Promise<void> {
  const dir = await installCase(bug)
  for (const words of [['buggy'], ['fixed'], ['fixed', 'forced']]) {
    // The drivers wait some ten milliseconds for each other, which a busy machine can use up.
    const codes: (number | null)[] = []
    while (codes.length < PLAIN_RUNS && !codes.includes(0)) codes.push((await node(['driver.cjs', ...words], dir)).code)
    expect(codes, words.join(' ')).toContain(0)
  }
  expect(await node(['driver.cjs', 'buggy', 'forced'], dir)).toMatchObject({ code: 1, out: expect.stringMatching(/^FAIL /m) })
}

export const checkBuggy = async (bug: BugCase): Promise<Checked> => check(['driver.cjs', 'buggy'], optionsOf(bug), await installCase(bug))

/** Empty when the bug is found in the package, with its property among the first ten findings. */
export async function missedBug(bug: BugCase): Promise<string> {
  const checked = await checkBuggy(bug)
  expect(verdict(checked.program)).toBe('PASS buggy/natural')
  if (!checked.failed.some((finding) => sitesOf(finding).includes('node_modules/buggy/'))) return `not found: ${told(checked)}`
  const named = namedAt(checked, bug)
  return named >= 0 && named < 10 ? '' : `${bug.property} is not named among the first ten: ${told(checked)}`
}

/** Empty when nothing is told of the fixed version. */
export async function alarmAboutFixed(bug: BugCase): Promise<string> {
  const dir = await installCase(bug)
  const checked = await check(['driver.cjs', 'fixed'], optionsOf(bug), dir)
  expect(verdict(checked.program)).toBe('PASS fixed/natural')
  return checked.failed.length === 0 && checked.code === 0 ? '' : told(checked)
}

/** Which finding names the property; 0 where none is asked for. */
const namedAt = ({ json }: Checked, { property }: BugCase): number =>
  property === undefined ? 0 : json.findings.findIndex((f) => f.status === 'FAILED' && f.violation?.property === property)

/**
 * The first two words of the last line: what comes after them varies (ports, for example), and what comes before is a run that Heddle threw
 * away because it did not pass.
 */
const verdict = (printed: string): string => /^\S+ \S+/.exec(printed.trimEnd().split('\n').at(-1)!)?.[0] ?? printed
