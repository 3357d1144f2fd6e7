/** The front end for Java programs: which commands start one. */
import { basename } from 'node:path'
import type { Command, FrontEnd, ProgramFile } from '../contract.ts'
import { agentJar } from './agent.ts'
import { doctor } from './doctor.ts'
import { classPathOf } from './launch.ts'
import { JavaProgram, NAME } from './program.ts'

export const javaFrontEnd: FrontEnd = { name: NAME, recognise, doctor }

/** Build tools that start the program's JVM, or run it in their own. */
const TOOLS = new Set(['mvn', 'mvnw', 'mvnd', 'gradle', 'gradlew'])

function recognise({ word, args, env, cwd, notes, file }: Command): JavaProgram | undefined {
  const name = basename(word)
  const isJava = name === 'java'
  if (!isJava && !TOOLS.has(name) && !startsJava(file())) return undefined
  const { path } = file()
  agentJar()
  const classPath = isJava ? classPathOf(word, args) : []
  return new JavaProgram({ file: path, args, env, notes, classPath, behind: !isJava, ...(cwd === undefined ? {} : { cwd }) })
}

/** A script of a shell that has to do with a JVM, as packagers write them. */
function startsJava({ shebang, head }: ProgramFile): boolean {
  return /^(ba|da|z|k)?sh$/.test(basename(shebang?.[0] ?? '')) && /\bJAVA_HOME\b|\bJAVACMD\b|(^|[\s/"'])java\s/m.test(head)
}
