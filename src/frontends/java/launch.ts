/** A Java command line: what it runs, and how the agent is added to it. */
import { delimiter, dirname, resolve } from 'node:path'
import type { Start } from '../../process/recorded.ts'
import { agentJar } from './agent.ts'
import { JAVA_VARIABLE, writeConfig, type JavaConfig } from './config-file.ts'
import { nothingMeant } from './errors.ts'

export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly notes: readonly string[]
  /** Entries of the class path. */
  readonly classPath: readonly string[]
  /** A script or a build tool starts the JVM. */
  readonly behind: boolean
}

const WITH_VALUE = new Set([
  '-cp',
  '-classpath',
  '--class-path',
  '-p',
  '--module-path',
  '--add-modules',
  '--add-exports',
  '--add-opens',
  '--add-reads',
  '--patch-module',
  '--limit-modules',
  '--upgrade-module-path',
  '-d',
  '--describe-module',
  '--source',
  '--enable-native-access',
])

/** The class path of a `java` command line; for a module, its module path, too. */
export function classPathOf(word: string, args: readonly string[]): readonly string[] {
  let classPath: readonly string[] = (process.env['CLASSPATH'] ?? '.').split(delimiter)
  let modules: readonly string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (arg === '-jar') return [dirname(args[i + 1] ?? '.')]
    if (arg === '-m' || arg === '--module' || arg.startsWith('--module=')) return [...modules, ...classPath]
    if (arg === '-cp' || arg === '-classpath' || arg === '--class-path') classPath = (args[i + 1] ?? '').split(delimiter)
    if (arg === '-p' || arg === '--module-path') modules = (args[i + 1] ?? '').split(delimiter)
    if (WITH_VALUE.has(arg)) i++
    else if (arg.startsWith('--class-path=')) classPath = arg.slice(13).split(delimiter)
    else if (arg.startsWith('--module-path=')) modules = arg.slice(14).split(delimiter)
    else if (!arg.startsWith('-')) return classPath
  }
  throw nothingMeant(word)
}

/** `run`: the folder of the run. The agent goes in front of what the user gives; behind a script it is told by a variable, which every JVM looks at. */
export function startOf(launch: Launch, config: JavaConfig, run: string, cwd: string): Start {
  const folder = writeConfig(run, config)
  const agent = `-javaagent:${agentJar()}`
  const options = [process.env['JAVA_TOOL_OPTIONS'], /\s/.test(agent) ? `"${agent}"` : agent].filter(Boolean).join(' ')
  return {
    file: launch.file,
    args: launch.behind ? launch.args : [agent, ...launch.args],
    env: { ...process.env, ...launch.env, [JAVA_VARIABLE]: resolve(folder), ...(launch.behind ? { JAVA_TOOL_OPTIONS: options } : {}) },
    cwd: launch.cwd ?? cwd,
  }
}
