/** How a command that runs tests is started, so that Heddle's preload is in every Node process that runs some. */
import { basename } from 'node:path'
import { commandOf } from '../frontends/command.ts'
import { launchOf, type Launch } from '../frontends/node/launch.ts'
import { HeddleError } from '../errors.ts'
import { existsSync } from 'node:fs'
import { programNotFound } from '../process/errors.ts'
import type { GroupPlan } from '../process/group.ts'
import { withFlags } from '../runtime/js/flags.ts'
import { PRELOAD, withOurs } from './preloading.ts'

export interface TestCommand {
  readonly plan: Omit<GroupPlan, 'stdio'>
  readonly runner: 'node:test' | 'jest' | 'vitest' | undefined
  /** Sentences for the user. */
  readonly notes: readonly string[]
}

/** What cannot be told from the outside is started as it was written: the environment reaches every Node below it. */
const STARTED_AS_WRITTEN = new Set(['script-not-plain', 'watches-forever', 'tool-not-known', 'not-a-node-program', 'no-script'])

export function testCommandOf(words: readonly string[], cwd: string): TestCommand {
  try {
    const launch = launchOf(commandOf(words, cwd))
    if (launch) return commandFor(launch, cwd)
  } catch (error) {
    if (!(error instanceof HeddleError) || !STARTED_AS_WRITTEN.has(error.code)) throw error
  }
  if (words[0]!.includes('/') && !existsSync(words[0]!)) throw programNotFound(words[0]!)
  return commandFor({ node: words[0]!, args: words.slice(1), env: {}, notes: [], asWritten: true }, cwd)
}

/** `asWritten`: it is a command of the user's, not one of Node's. */
export function commandFor(launch: Launch & { readonly asWritten?: boolean }, cwd: string): TestCommand {
  const { args, notes } = launch.asWritten ? { args: launch.args, notes: [] } : forNodeTest(launch.args)
  // Heddle has to come after a loader for TypeScript. What the environment says comes first, what stands in the command line comes later.
  const byFlag = !launch.asWritten && args.some((word, i) => PRELOADS.test(word) && isFlag(args, i))
  const flag = ['--import', PRELOAD]
  return {
    plan: {
      file: launch.node,
      args: byFlag ? withFlags(args, flag) : args,
      env: {
        ...process.env,
        ...launch.env,
        ...(byFlag ? {} : { NODE_OPTIONS: withOurs(launch.env['NODE_OPTIONS'] ?? process.env['NODE_OPTIONS']) }),
      },
      cwd: launch.cwd ?? cwd,
    },
    runner: runnerOf(args),
    notes: [...launch.notes, ...notes],
  }
}

const PRELOADS = /^(--import|--require|-r|--loader|--experimental-loader)(=|$)/

/** Is the word one of Node's own flags, before the script? Values of flags that have one count as flags. */
const isFlag = (args: readonly string[], at: number): boolean =>
  args.slice(0, at).every((word, i) => word.startsWith('-') || PRELOADS.test(args[i - 1] ?? ''))

function runnerOf(args: readonly string[]): TestCommand['runner'] {
  if (args.includes('--test')) return 'node:test'
  const script = args.find((word) => /(^|\/)(jest|vitest)(\.[cm]?js)?$/.test(word))
  return script === undefined ? undefined : basename(script).startsWith('jest') ? 'jest' : 'vitest'
}

/** A time-out for a whole file would end the analysis of its tests; and in one process with its parent no file is recorded. */
function forNodeTest(args: readonly string[]): { args: readonly string[]; notes: readonly string[] } {
  if (!args.includes('--test')) return { args, notes: [] }
  const left: string[] = []
  const notes: string[] = []
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!
    const [, name, value] = /^--(?:experimental-)?(test-timeout|test-isolation)(=.*)?$/.exec(word) ?? []
    if (name === undefined) {
      left.push(word)
      continue
    }
    if (value === undefined) i++
    notes.push(
      `--${name} was left out: ${name === 'test-timeout' ? 'the analysis of a test would count' : 'each file has its own process'}.`,
    )
  }
  return { args: left, notes }
}
