/** What is expected of every application (apps.ts). Heddle is run as a user would, in a folder of its own, against databases of its own. */
import { expect } from 'vitest'
import { check, node, sitesOf, told, type Checked, type CheckJson } from '../node-bugs/run.ts'
import { serverEnv } from '../servers/ask.ts'
import { ownDatabases } from '../servers/own.ts'
import { APPS, placeApp, type App, type Verdict } from './apps.ts'

/** A budget in replays; the seconds are for a machine that has other things to do, too. */
const BUDGET = ['--replays', '60', '--time', '600']
/** A wrong application passes nearly always. */
const PLAIN_RUNS = 3
const HANGS = 120_000

interface Placed {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly words: readonly string[]
}

async function place(app: App, verdict: Verdict): Promise<Placed> {
  // The first databases are for whoever has no number.
  const nth = 10 + 2 * APPS.indexOf(app) + (verdict === 'right' ? 1 : 0)
  const env = ownDatabases(await serverEnv(...app.needs), nth)
  return { cwd: placeApp(app, verdict), env, words: [`${app.name}.mjs`, verdict] }
}

/** It passes by itself; the driver itself can bring the wrong version to fail, and not the right one. */
export async function expectHonest(app: App): Promise<void> {
  for (const verdict of ['wrong', 'right'] as const) {
    const { cwd, env, words } = await place(app, verdict)
    const codes: (number | null)[] = []
    while (codes.length < PLAIN_RUNS && !codes.includes(0)) codes.push((await node(words, cwd, HANGS, env)).code)
    expect(codes, verdict).toContain(0)
    const ran = await node([...words, 'forced'], cwd, HANGS, env)
    expect(ran, `${verdict} forced`).toMatchObject(
      verdict === 'right' ? { code: 0 } : { code: 1, err: expect.stringContaining('AssertionError') },
    )
  }
}

export async function checkWrong(app: App): Promise<Checked> {
  const { cwd, env, words } = await place(app, 'wrong')
  return check(words, BUDGET, cwd, { env })
}

/** Empty when the wrong version is found at its row or key, with two of its lines, by a schedule that fails. */
export async function missed(app: App): Promise<string> {
  const checked = await checkWrong(app)
  return checked.failed.some((finding) => isMeant(finding, app)) ? '' : told(checked)
}

/** By what protects the right version: the reason with which candidates at its row or key are refused, as coverage has it. */
const REASONS: readonly (readonly [protection: RegExp, reason: string])[] = [
  [/^(FOR UPDATE)$/, 'row lock'],
  [/^(serializable|repeatable read|WATCH)$/, 'snapshot'],
  [/^(advisory lock|SET NX)$/, 'lock'],
  [/^(atomic statement|compare-and-set|unique constraint|INCR|HINCRBY|Lua|MULTI|SET XX|one request)$/, 'one statement'],
]
export const reasonOf = ({ protection }: App): string | undefined => REASONS.find(([fits]) => fits.test(protection))?.[1]

/** Empty when nothing fails of the right version, and something was refused for its protection. */
export async function alarm(app: App): Promise<string> {
  const { cwd, env, words } = await place(app, 'right')
  const checked = await check(words, BUDGET, cwd, { env })
  const refused = checked.json.coverage.some(({ infeasible }) => (infeasible[reasonOf(app)!] ?? 0) > 0)
  return checked.code === 0 && checked.failed.length === 0 && refused ? '' : told(checked)
}

export function isMeant(finding: CheckJson['findings'][number], { expected: { kinds, at: location = '', lines } }: App): boolean {
  const named = lines.filter((line) =>
    sitesOf(finding)
      .split(/[ ,/]+/)
      .some((word) => word === line || word.startsWith(`${line}:`)),
  )
  return kinds.includes(finding.kind) && named.length >= 2 && finding.locations.some((place) => place.startsWith(location))
}
