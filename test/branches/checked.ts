/** A program with or without schedule-sensitive branches, checked once: exactly those that its comments name are confirmed, with what they do. */
import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { told } from '../node-bugs/run.ts'
import { branchesOf, checkBranches, placeOf, seenOf, type BranchProgram } from './programs.ts'

/** Empty when the branches are those that it says. */
export async function differs(program: BranchProgram): Promise<string> {
  const cwd = placeOf(program)
  try {
    const checked = await checkBranches(basename(program.file), program.flags, cwd)
    const lines = seenOf(branchesOf(checked)).join(', ')
    const expected = program.expected.join(', ')
    return lines === expected ? '' : `[${lines}] instead of [${expected}]: ${told(checked)}`
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
