/** A Java command line: what it runs, and how the agent gets into it. */
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
  /** The class, jar or source file. */
  readonly main: string
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

/** What a `java` command line runs. */
export function launchOf(word: string, args: readonly string[]): Pick<Launch, 'classPath' | 'main'> {
  let classPath: readonly string[] = (process.env['CLASSPATH'] ?? '.').split(delimiter)
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (arg === '-jar') return { classPath: [dirname(args[i + 1] ?? '.')], main: args[i + 1] ?? '' }
    if (arg === '-m' || arg === '--module') return { classPath, main: args[i + 1] ?? '' }
    if (arg === '-cp' || arg === '-classpath' || arg === '--class-path') classPath = (args[i + 1] ?? '').split(delimiter)
    if (WITH_VALUE.has(arg)) i++
    else if (arg.startsWith('--class-path=')) classPath = arg.slice(13).split(delimiter)
    else if (!arg.startsWith('-') && !arg.startsWith('@')) return { classPath, main: arg }
    else if (arg.startsWith('@')) return { classPath, main: arg }
  }
  throw nothingMeant(word)
}

/** `run`: the folder of the run. The agent goes in front of what the user gives. */
export function startOf(launch: Launch, config: JavaConfig, run: string, cwd: string): Start {
  const folder = writeConfig(run, config)
  return {
    file: launch.file,
    args: [`-javaagent:${agentJar()}`, ...launch.args],
    env: { ...process.env, ...launch.env, [JAVA_VARIABLE]: resolve(folder) },
    cwd: launch.cwd ?? cwd,
  }
}
