/** What is expected of every application (apps.ts). Heddle is run as a user would, in a folder of its own, against databases of its own. */
import { expect } from 'vitest'
import { check, node, told, type Checked } from '../node-bugs/run.ts'
import { serverEnv } from '../servers/ask.ts'
import { ownDatabases } from '../servers/own.ts'
import { APPS, placeApp, type App, type Verdict } from './apps.ts'
import { isMeant, isRefused } from './meant.ts'

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

/** Empty when nothing fails of the right version, and something was refused for its protection. */
export async function alarm(app: App): Promise<string> {
  const { cwd, env, words } = await place(app, 'right')
  const checked = await check(words, BUDGET, cwd, { env })
  return checked.code === 0 && checked.failed.length === 0 && isRefused(app, checked.json) ? '' : told(checked)
}
