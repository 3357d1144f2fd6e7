/** The front end for Java programs: which commands start one. */
import { basename } from 'node:path'
import type { Command, FrontEnd } from '../contract.ts'
import { agentJar } from './agent.ts'
import { doctor } from './doctor.ts'
import { launchOf } from './launch.ts'
import { JavaProgram, NAME } from './program.ts'

export const javaFrontEnd: FrontEnd = { name: NAME, recognise, doctor }

function recognise({ word, args, env, cwd, notes, file }: Command): JavaProgram | undefined {
  if (basename(word) !== 'java') return undefined
  const { path } = file()
  agentJar()
  return new JavaProgram({ file: path, args, env, notes, ...launchOf(word, args), ...(cwd === undefined ? {} : { cwd }) })
}
