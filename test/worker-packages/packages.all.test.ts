/**
 * Packages with workers and shared memory: what they print is what they print without Heddle, their threads are seen, and no order that Heddle
 * tries breaks them; but for one, which is broken.
 */
import { beforeAll, expect, test } from 'vitest'
import { check, node, told } from '../node-bugs/run.ts'
import { staysSilent } from '../rates.ts'
import { alarm } from './checked.ts'
import { PACKAGES, install } from './packages.ts'

const BUDGET = ['--replays', '6', '--time', '600']
const TRUE_BUDGET = ['--replays', '40', '--time', '600']

let cwd = ''
beforeAll(async () => {
  cwd = await install('packages', PACKAGES)
})

staysSilent(
  'npm packages with workers',
  [
    { name: 'pino.cjs', threads: 2 },
    { name: 'piscina.mjs', threads: 3 },
    { name: 'ringbuf.mjs', threads: 2 },
    { name: 'synckit.mjs', threads: 2 },
    { name: 'thread-stream.cjs', threads: 2 },
    { name: 'tinypool.mjs', threads: 3 },
    { name: 'workerpool.mjs', threads: 3 },
  ],
  (driver) => alarm(driver, cwd),
)

test('make-synchronous.mjs: its worker is the text of an ES module, which is left alone today; a note says so', async () => {
  const driver = 'make-synchronous.mjs'
  const plain = await node([driver], cwd)
  const checked = await check([driver], BUDGET, cwd)
  expect(checked, told(checked)).toMatchObject({ code: 0, program: plain.out, failed: [] })
  expect(checked.json.notes).toContain('A worker whose code is given as the text of an ES module was left alone.')
})

/**
 * A true one. The worker writes the length of the answer to the cell on which the main thread waits, and only then the answer itself (worker.js,
 * `write`). A main thread that is late for its wait finds the length there, does not sleep, and copies what the buffer had before. It does so with
 * plain writes on any machine.
 */
test('await-sync.mjs: answers are taken before they are there', async () => {
  const driver = 'await-sync.mjs'
  expect(await node([driver], cwd)).toMatchObject({ code: 0, err: '', out: 'both in capitals\n' })
  const checked = await check([driver], [...TRUE_BUDGET, '--max-findings', '1'], cwd)
  expect(checked.json.coverage.find((row) => row.predictor === 'threads')?.facts, told(checked)).toMatchObject({ threads: 2 })
  expect(checked.failed, told(checked)).not.toEqual([])
  for (const { failure } of checked.failed) expect((failure as { message: string }).message).toMatch(/^Error: (one|two) became /)
})
