/**
 * Programs with worker threads, two polarities. The wrong ones pass by themselves and are found from one passing run; the right ones stay silent
 * and print what they always print. Heddle is run as a user would, in a folder of its own.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { ALL, sized } from '../layer.ts'
import { check, node, told, type Checked, type Ran } from '../node-bugs/run.ts'
import { programs, type Program } from './list.ts'

export const WRONG = programs('wrong', 'workers')
export const RIGHT = programs('right', 'workers')

/** How often a schedule that failed has to fail again. Ten times for a few of different kinds, where everything runs. */
const CONFIRM_TEN = new Set(['counter', 'locks-three', 'wake-up', 'ring'])
const RATE = 0.9
/** A budget in replays; the seconds are for a machine that has other things to do, too. */
const WRONG_REPLAYS = sized('10', '60')
const RIGHT_REPLAYS = sized('3', '6')
const TIME = sized('120', '600')
/** Nothing here takes a second; a program that hangs is ended then. */
const HANGS = 120_000
/** A wrong program passes nearly always. */
const PLAIN_RUNS = 3

const folders: string[] = []
function place({ file }: Program): { readonly cwd: string; readonly words: string[] } {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-workers-'))
  folders.push(cwd)
  cpSync(dirname(file), cwd, { recursive: true })
  return { cwd, words: [basename(file)] }
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** One of so many runs passes. */
async function passing(words: readonly string[], cwd: string, runs: number): Promise<Ran> {
  let ran = await node(words, cwd, HANGS)
  for (let again = 1; again < runs && ran.code !== 0; again++) ran = await node(words, cwd, HANGS)
  expect(ran).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^[^\n]+\n$/) })
  return ran
}

/** Empty when a wrong program is found, by a schedule that fails again. */
export async function missed(program: Program): Promise<string> {
  const { cwd, words } = place(program)
  await passing(words, cwd, PLAIN_RUNS)
  const confirm = ALL ? (CONFIRM_TEN.has(program.name) ? ['--confirm', '10'] : []) : ['--confirm', '2', '--picture', '0']
  const checked = await check(words, ['--replays', WRONG_REPLAYS, '--time', TIME, '--max-findings', '1', ...confirm], cwd)
  const rates = checked.failed.map(({ replays }) => replays.failures / replays.runs)
  return checked.code === 1 && Math.max(0, ...rates) >= RATE ? '' : told(checked)
}

/** What a check of a wrong program says first. */
export const headline = (program: Program): Promise<Checked> => {
  const { cwd, words } = place(program)
  return check(words, ['--replays', WRONG_REPLAYS, '--time', TIME, '--max-findings', '1', '--picture', '0'], cwd)
}

/** Empty when nothing is told of a right program, and it prints what it prints without Heddle. */
export async function alarm(program: Program): Promise<string> {
  const { cwd, words } = place(program)
  const plain = await passing(words, cwd, 1)
  const checked = await check(words, ['--replays', RIGHT_REPLAYS, '--time', TIME], cwd)
  expect(checked.program).toBe(plain.out)
  return checked.code === 0 && checked.failed.length === 0 ? '' : told(checked)
}
