/**
 * un-ts/synckit#184: a call that times out leaves its answer to the next one. Mended in 0.9.2, which has another fault that both share: a worker adds one to
 * a cell and then notifies, in two steps. A main thread that sees the one before the notify does not sleep, takes the answer, and sleeps for the next:
 * the notify that is still to come wakes it, there is no message, and it reads a property of undefined.
 */
import { beforeAll, expect, test } from 'vitest'
import { check, node, told, type Checked } from '../node-bugs/run.ts'
import { SYNCKITS, install } from './packages.ts'

const BUDGET = ['--replays', '60', '--time', '600']

let cwd = ''
beforeAll(async () => {
  cwd = await install('synckit', SYNCKITS)
})

async function checkVersion(version: string): Promise<Checked> {
  const words = ['synckit-late.cjs', `synckit-${version}`]
  expect(await node(words, cwd)).toMatchObject({ code: 0, err: '', out: 'every answer was to its question\n' })
  return check(words, BUDGET, cwd)
}
const messages = ({ failed }: Checked): string[] => failed.map(({ failure }) => (failure as { message: string }).message)

const LATE = /Expected id|asked for/
const EMPTY = /Cannot read properties of undefined \(reading 'message'\)/

test('0.9.1: the late answer is found', async () => {
  const checked = await checkVersion('0.9.1')
  const late = checked.failed.filter(({ failure }) => LATE.test((failure as { message: string }).message))
  expect(late, told(checked)).toContainEqual(expect.objectContaining({ pattern: 'time-out' }))
})

test('0.9.2: it is gone, only the empty read is left', async () => {
  const checked = await checkVersion('0.9.2')
  for (const message of messages(checked)) expect(message, told(checked)).toMatch(EMPTY)
})
