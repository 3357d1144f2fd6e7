/** The command that runs one test file alone, without the parent process of `node --test`. The adapter there selects the test (units.ts). */
import type { RunAgain } from '../contract.ts'
import { PRELOAD, withoutOurs } from '../preloading.ts'

/** Flags of `node --test` that take a value, which may be the next word. */
const VALUED =
  /^--(experimental-)?test-(name-pattern|skip-pattern|reporter|reporter-destination|concurrency|timeout|shard|isolation|global-setup|coverage-\w+|random-seed|rerun-failures)$/
/** Nothing of them is left when one file is run by itself. Module mocks and snapshots are no such flags: tests may need them. */
const OF_THE_RUNNER = /^--(test(?!-update-snapshots)|experimental-test-(coverage|isolation)|watch|inspect)(-|=|$)/

export function runAgain(file: string): RunAgain {
  return {
    args: [...flags(process.execArgv), '--import', PRELOAD, file, ...process.argv.slice(2)],
    // Empty, it is no context: the test's output is for people, not for a parent.
    env: { NODE_TEST_CONTEXT: '', NODE_OPTIONS: withoutOurs(process.env['NODE_OPTIONS'] ?? '') },
    cwd: process.cwd(),
    process: 'top',
  }
}

/** Node's own flags, without what belongs to its runner and without Heddle's. */
export function flags(words: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (VALUED.test(word)) i++
    else if (word === '--import' && isOurs(words[i + 1])) i++
    else if (!OF_THE_RUNNER.test(word) && !(word.startsWith('--import=') && isOurs(word.slice('--import='.length)))) kept.push(word)
  }
  return kept
}

const OURS = ['tests.js', 'register.js'].map((path) => new URL(path, PRELOAD).href)

const isOurs = (word: string | undefined): boolean => word !== undefined && OURS.includes(word)
