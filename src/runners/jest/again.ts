/**
 * The command that runs one test file again in a fresh Jest. Workers of Jest do not know its command line, so the main process leaves it in the
 * environment.
 */
import { realpathSync } from 'node:fs'
import type { RunAgain } from '../contract.ts'
import { flags } from '../node-test/again.ts'
import { PRELOAD, withoutOurs } from '../preloading.ts'
import type { ProjectConfig } from './api.ts'

const COMMAND = 'HEDDLE_JEST'

interface Command {
  /** The script of Jest, and what stood after it. */
  readonly script: string
  readonly words: readonly string[]
  readonly cwd: string
}

/** Options that say how tests are run, with how many values: the others say which, how often, and how to show it. */
const KEPT: Readonly<Record<string, 'flag' | 'one' | 'several'>> = {
  automock: 'flag',
  cache: 'flag',
  cacheDirectory: 'one',
  clearMocks: 'flag',
  config: 'one',
  env: 'one',
  errorOnDeprecated: 'flag',
  globals: 'one',
  haste: 'one',
  injectGlobals: 'flag',
  moduleDirectories: 'several',
  moduleFileExtensions: 'several',
  moduleNameMapper: 'one',
  modulePathIgnorePatterns: 'several',
  modulePaths: 'several',
  preset: 'one',
  projects: 'several',
  resetMocks: 'flag',
  resetModules: 'flag',
  resolver: 'one',
  restoreMocks: 'flag',
  rootDir: 'one',
  roots: 'several',
  setupFiles: 'several',
  setupFilesAfterEnv: 'several',
  testEnvironment: 'one',
  testEnvironmentOptions: 'one',
  testRunner: 'one',
  testTimeout: 'one',
  transform: 'one',
  transformIgnorePatterns: 'several',
}
const SHORT: Readonly<Record<string, string>> = { c: 'config' }

const JEST = /[\\/]jest(-cli)?[\\/]bin[\\/]jest\.js$/
const WORKER = /[\\/]jest-worker[\\/]build[\\/](workers[\\/])?processChild\.js$/

/** Is this a process of Jest, and not one that a test has started, say? */
export function isJest(): boolean {
  const script = real(process.argv[1] ?? '')
  return JEST.test(script) || WORKER.test(script)
}

/** In the process that was started by hand the command line is still there. */
export function noteCommand(): void {
  const script = real(process.argv[1] ?? '')
  if (!JEST.test(script)) return
  const command: Command = { script, words: process.argv.slice(2), cwd: process.cwd() }
  process.env[COMMAND] = JSON.stringify(command)
}

/** Undefined when Jest was started in another way: that cannot be done again. */
export function runAgain(file: string, config: ProjectConfig): RunAgain | undefined {
  const text = process.env[COMMAND]
  if (text === undefined) return undefined
  const { script, words, cwd } = JSON.parse(text) as Command
  const project = config.displayName?.name
  const options = process.env['NODE_OPTIONS'] ?? ''
  return {
    args: [
      ...flags(process.execArgv),
      '--import',
      PRELOAD,
      script,
      ...kept(words),
      ...(project === undefined ? [] : ['--selectProjects', project]),
      '--runInBand',
      '--ci',
      '--coverage=false',
      '--watchAll=false',
      '--runTestsByPath',
      file,
    ],
    env: { JEST_WORKER_ID: '', NODE_OPTIONS: withoutOurs(options) },
    cwd,
    process: 'top',
  }
}

export function kept(words: readonly string[]): string[] {
  const left: string[] = []
  for (let i = 0; i < words.length; i++) {
    const [, dashes, given, value] = /^(--?)(?:no-)?([\w-]+)(=.*)?$/s.exec(words[i]!) ?? []
    if (given === undefined) continue
    const name = dashes === '-' ? SHORT[given] : given.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const kind = name === undefined ? undefined : KEPT[name]
    const from = i
    if (value === undefined && kind !== 'flag') {
      const most = kind === 'several' ? Infinity : kind === 'one' ? 1 : 0
      for (let n = 0; n < most && words[i + 1] !== undefined && !words[i + 1]!.startsWith('-'); n++) i++
    }
    if (kind !== undefined) left.push(...words.slice(from, i + 1))
  }
  return left
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
