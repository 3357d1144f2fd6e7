/** Exploration of a real program, through its front end: failures behind a first departure from the recorded run. */
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { cannot } from '../programs/native.ts'
import { HEDDLE } from '../programs/marked.ts'
import { node } from '../node-bugs/run.ts'
import { Workshop } from '../seeds/native-programs.ts'

const SOURCE = fileURLToPath(new URL('programs/c/shutdown.c', import.meta.url))

describe.skipIf(cannot !== '')(`exploration ${cannot}`, () => {
  const workshop = new Workshop()
  afterAll(() => workshop.close())
  const check = (name: string, flags: string[], options: string[]): Promise<{ readonly code: number | null; readonly out: string }> => {
    const program = workshop.build(SOURCE, name, flags)
    return node([HEDDLE, 'check', '--time', '300', ...options, '--', program], workshop.folder, 400_000)
  }

  test('a failure that needs two departures is FAILED without being asked for, and not predicted from the recorded run', async () => {
    const alone = await check('shallow', [], ['--depth', '1'])
    expect(alone).toMatchObject({ code: 0, out: expect.not.stringContaining('Explored') })
    const deep = await check('deep', [], [])
    expect(deep).toMatchObject({ code: 1, out: expect.stringMatching(/FAILED 3 of 3[^]*stopped too early/) })
  })

  test('the right version is silent, and the result says how far exploration came', async () => {
    const { code, out } = await check('right', ['-DRIGHT'], ['--exhaustive'])
    expect(code).toBe(0)
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /(Explored: \d+ classes of schedules in \d+ runs|All \d+ classes of schedules of this input were run)/,
    )
  })
})
