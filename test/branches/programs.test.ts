/** Programs with and without schedule-sensitive branches: exactly those that their comments name are confirmed, with what they do. */
import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { told } from '../node-bugs/run.ts'
import { branchPrograms, branchesOf, checkBranches, placeOf, seenOf, type BranchProgram } from './programs.ts'

const SENSITIVE = branchPrograms('sensitive')
const NOT_SENSITIVE = branchPrograms('not-sensitive')

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** Threads take the longest: all of them where HEDDLE_PROGRAMS is `all`, else these. */
const THREADS = ['figure-3', 'once', 'spin', 'check-then-use', 'state', 'message', 'identity'].map((name) => `worker-${name}.mjs`)
const chosen = (programs: readonly BranchProgram[]): BranchProgram[] =>
  programs.filter(({ name }) => process.env['HEDDLE_PROGRAMS'] === 'all' || !name.startsWith('worker') || THREADS.includes(name))

/** Two at once: a check leaves the second core alone for much of its time. */
const lanes = [Promise.resolve(), Promise.resolve()]
let next = 0

function seen(program: BranchProgram): Promise<{ readonly lines: string[]; readonly text: string }> {
  const lane = next++ % lanes.length
  const result = lanes[lane]!.then(async () => {
    const cwd = placeOf(program)
    folders.push(cwd)
    const checked = await checkBranches(basename(program.file), program.flags, cwd)
    return { lines: seenOf(branchesOf(checked)), text: told(checked) }
  })
  lanes[lane] = result.then(
    () => {},
    () => {},
  )
  return result
}

test('there are enough of both, and enough with threads', () => {
  const all = [...SENSITIVE, ...NOT_SENSITIVE]
  expect(all.length).toBeGreaterThanOrEqual(36)
  expect(all.filter(({ name }) => name.startsWith('worker')).length).toBeGreaterThanOrEqual(15)
  expect(SENSITIVE.filter(({ expected }) => expected.length === 0)).toEqual([])
  expect(NOT_SENSITIVE.filter(({ expected }) => expected.length > 0)).toEqual([])
})

// On a busy machine a recorded run may have another order than usual: one more is allowed.
describe.concurrent('sensitive', { retry: 1 }, () => {
  test.each(chosen(SENSITIVE))('$name', async (program) => {
    const { lines, text } = await seen(program)
    expect(lines, text).toEqual(program.expected)
  })
})

describe.concurrent('not sensitive', () => {
  test.each(chosen(NOT_SENSITIVE))('$name', async (program) => {
    const { lines, text } = await seen(program)
    expect(lines, text).toEqual([])
  })
})
