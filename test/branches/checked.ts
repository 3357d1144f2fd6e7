/** A program with or without schedule-sensitive branches, checked once: exactly those that its comments name are confirmed, with what they do. */
import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { FindingDocument } from '../../src/report/document.ts'
import { told } from '../node-bugs/run.ts'
import { branchesOf, checkBranches, placeOf, seenOf, type BranchProgram } from './programs.ts'

/** Empty when the branches are those that it says. */
export async function differs(program: BranchProgram): Promise<string> {
  const cwd = placeOf(program)
  try {
    const checked = await checkBranches(basename(program.file), program.flags, cwd)
    const lines = seenOf(branchesOf(checked)).join(', ')
    const expected = program.expected.join(', ')
    if (lines !== expected) return `[${lines}] instead of [${expected}]: ${told(checked)}`
    const delayed = checked.json.findings as unknown as FindingDocument[]
    const silent = delayed.filter((f) => f.branch && f.schedule?.kind === 'delays' && f.replays.runs > 0 && !f.proof?.needs)
    return silent.map(({ summary }) => `It is not said what was late: ${summary}`).join('; ')
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
