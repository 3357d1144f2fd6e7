/**
 * Correct programs with time-outs, retries, leases, back-off and sleeps: a delay that is long enough makes each of them fail, and none is FAILED, with few replays and with many. In the usual
 * run those two that were called FAILED once, on a busy machine and with too few replays to look for the cause.
 */
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sized } from '../layer.ts'
import { ROOT } from '../node-bugs/install.ts'
import { check, told } from '../node-bugs/run.ts'
import { ownFolder } from '../programs/marked.ts'

const FOLDER = join(ROOT, 'test/cause/patient')
const PROGRAMS = sized(
  ['heartbeat.mjs', 'lock-retry.mjs'],
  readdirSync(FOLDER).filter((name) => name.endsWith('.mjs')),
)
/** Too few to look for the cause, and enough; the seconds are for a machine that has other things to do, too. */
const REPLAYS = sized(['12'], ['6', '12', '40'])

test('there are at least fifteen', () => expect(readdirSync(FOLDER).length).toBeGreaterThanOrEqual(15))

test.each(PROGRAMS.flatMap((program) => REPLAYS.map((replays) => [program, replays] as const)))(
  '%s is not FAILED with %s replays',
  async (program, replays) => {
    const cwd = ownFolder()
    cpSync(join(FOLDER, program), join(cwd, program))
    const checked = await check([program], ['--replays', replays, '--time', '300', '--picture', '0'], cwd)
    expect(checked.failed, told(checked)).toEqual([])
    expect(checked.code).toBe(0)
  },
  600_000,
)
