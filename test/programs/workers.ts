/**
 * Programs with worker threads, two polarities. The wrong ones pass by themselves and are found from one passing run; the right ones stay silent
 * and print what they always print. Heddle is run as a user would, in a folder of its own.
 * The two polarities are two test files, so that two processes share the work.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { check, node, told, type Ran } from '../node-bugs/run.ts'
import { programs, type Program } from './list.ts'

const WRONG = programs('wrong', 'workers')
const RIGHT = programs('right', 'workers')

/** How often a schedule that failed has to fail again. Ten times for a few of different kinds, to save time. */
const CONFIRM_TEN = new Set(['counter', 'locks-three', 'wake-up', 'ring'])
const RATE = 0.9
/** Seconds after the recorded run: the whole file is to end within four minutes. */
const TIME = '30'
const SILENT_REPLAYS = '6'
/** Nothing here takes a second; a program that hangs is ended then. */
const HANGS = 30_000
/** A wrong program passes nearly always. */
const ATTEMPTS = 3

/** Every fifth one, to save time; all of them where HEDDLE_PROGRAMS is `all`. */
const sample = (all: readonly Program[]): Program[] => all.filter((_, i) => process.env['HEDDLE_PROGRAMS'] === 'all' || i % 5 === 0)

const folders: string[] = []
function place({ file }: Program): { readonly cwd: string; readonly words: string[] } {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-workers-'))
  folders.push(cwd)
  cpSync(dirname(file), cwd, { recursive: true })
  return { cwd, words: [basename(file)] }
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

async function passing(words: readonly string[], cwd: string, attempts: number): Promise<Ran> {
  let ran = await node(words, cwd, HANGS)
  for (let again = 1; again < attempts && ran.code !== 0; again++) ran = await node(words, cwd, HANGS)
  expect(ran).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^[^\n]+\n$/) })
  return ran
}

export function wrongOnes(): void {
  test('there are as many right ones as wrong ones, or more, and every wrong one has its right version', () => {
    expect(WRONG.length).toBeGreaterThanOrEqual(17)
    expect(RIGHT.map(({ name }) => name)).toEqual(expect.arrayContaining(WRONG.map(({ name }) => name)))
  })

  // Recorded runs differ, and with them what can be predicted from one: two more are allowed.
  describe('wrong', { retry: 2 }, () => {
    test.each(sample(WRONG))('$name', async (program) => {
      const { cwd, words } = place(program)
      await passing(words, cwd, ATTEMPTS)
      const confirm = CONFIRM_TEN.has(program.name) ? ['--confirm', '10'] : []
      const checked = await check(words, ['--time', TIME, '--max-findings', '1', ...confirm], cwd)
      const rates = checked.failed.map(({ replays }) => replays.failures / replays.runs)
      expect(Math.max(0, ...rates), told(checked)).toBeGreaterThanOrEqual(RATE)
      expect(checked.code, told(checked)).toBe(1)
    })
  })
}

export function rightOnes(): void {
  describe('right', () => {
    test.each(sample(RIGHT))('$name', async (program) => {
      const { cwd, words } = place(program)
      const plain = await passing(words, cwd, 1)
      const checked = await check(words, ['--time', TIME, '--replays', SILENT_REPLAYS], cwd)
      expect(checked.failed, told(checked)).toEqual([])
      expect(checked.code, told(checked)).toBe(0)
      expect(checked.program).toBe(plain.out)
    })
  })
}
