/** Programs in Java (marked.ts). All of a verdict are compiled by one call of javac. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ROOT } from '../node-bugs/install.ts'
import { run } from '../node-bugs/run.ts'
import { checksOf, markedPrograms, ownFolder, type MarkedProgram, type Verdict } from './marked.ts'

export const javaPrograms = (verdict: Verdict): MarkedProgram[] => markedPrograms(verdict, 'java', /\.java$/)

const missing = ['java', 'javac'].filter((name) => spawnSync(name, ['-version'], { stdio: 'ignore' }).status !== 0)
const agent = join(ROOT, 'dist/java/heddle-agent.jar')
/** Why nothing can be tried here; empty when all is there. */
export const cannot = missing.length > 0 ? `no ${missing.join(', no ')}` : existsSync(agent) ? '' : 'the agent was not built'

const compiled = new Map<Verdict, Promise<string>>()

async function compile(verdict: Verdict): Promise<string> {
  const folder = ownFolder()
  const files = javaPrograms(verdict).map(({ file }) => file)
  const built = await run('javac', ['-g', '-Xlint:none', '-d', folder, ...files], folder)
  expect(built, built.err).toMatchObject({ code: 0 })
  return folder
}

export const { missed, alarm, headline } = checksOf(async ({ name, verdict }) => {
  if (!compiled.has(verdict)) compiled.set(verdict, compile(verdict))
  return ['java', '-cp', await compiled.get(verdict)!, name]
})
