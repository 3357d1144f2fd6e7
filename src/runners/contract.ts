/**
 * The interface between an adapter of a test runner (vitest, node-test, jest) and the rest of Heddle. The adapter is in the process that runs tests.
 * The runtime is preloaded there and idle. For every test the adapter begins a session, runs the hooks and the body of the test as parts of it, and
 * ends it. Everything else in that process (the runner, its messages and timers) is not recorded.
 */

import type { TestName } from '../schedule/schedule.ts'

export type { TestName } from '../schedule/schedule.ts'

/** How to run one test alone, in a fresh process, with nothing else changed: retries off, one process, no watching, no coverage. */
export interface RunAgain {
  /** A program for Node and its arguments, flags of Node first: ['/…/node_modules/vitest/vitest.mjs', 'run', …]. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /**
   * `top`: the process started by this command runs the test itself, so Heddle puts `--import register.js` in front. `inner`: that process starts
   * another one, and the adapter there puts the runtime into it (HEDDLE_RUN is in the environment).
   */
  readonly process: 'top' | 'inner'
}

export interface Thrown {
  readonly error: unknown
  /** It was thrown to skip the test. */
  readonly skips?: boolean
}

/** The session of one test. `begin` of TestSessions makes it. */
export interface TestSession {
  /** Runs a hook (beforeEach, afterEach) or the body as part of the test. Throws what it throws, awaits what it returns. */
  part<T>(body: () => T): Promise<Awaited<T>>
  /**
   * Call it when the test and its hooks are over, with what was thrown, if anything was. Recording: if the test passed it is analysed in a child process, and
   * this rejects with a ConfirmedFinding when a replay failed. Replaying: tells the parent how it ended, and never rejects.
   * Recording, and the test failed by itself: nothing is analysed.
   */
  end(thrown?: Thrown): Promise<void>
}

/** There is one in every process into which the runtime was put for tests: `testSessions()` of sessions.ts gives it. */
export interface TestSessions {
  readonly mode: 'record' | 'replay'
  /** Replaying: the one test to run in a session. The others should be skipped, or just run without one. */
  readonly only: TestName | undefined
  /**
   * Undefined: run the test without a session (it is off, or it is not the one to replay). `source`: the text of the test file if the adapter has it; it is read otherwise, to
   * look for `heddle: off`. Only one session at a time: of tests that run side by side (`test.concurrent`) those that come while another is open are not recorded, and a note says so.
   */
  begin(test: TestName, again: RunAgain): TestSession | undefined
  /**
   * Runs a beforeAll hook: what it sets going (a server) stays known in the sessions of the tests after it.
   */
  setup<T>(body: () => T): Promise<Awaited<T>>
  /** Instruments a module that the runner loads by itself, past Node's loaders. The code to run instead, or undefined to leave it. */
  instrument(file: string, code: string, kind: 'module' | 'commonjs'): string | undefined
  /** The test runs without a session, for this reason: half a sentence for the end of the run. */
  leaveOut(test: TestName, why: string): void
  /** What was looked at in this process so far, for the end of the run: never silently green. */
  summary(): TestSummary
}

export interface TestSummary {
  /** Tests analysed; with at least one replay; off; not recorded, each with why. */
  readonly analysed: number
  readonly replayed: number
  /** Orders that were not replayed, since an earlier run of tests did so and nothing has changed. */
  readonly before: number
  readonly off: number
  /** Passed, and not analysed, since the budget of the run was used up. */
  readonly cut: number
  /** Orders that were not replayed, for lack of time or replays: the next run goes on with them. */
  readonly left: number
  /** Passed, and not analysed, since it reaches no changed file. */
  readonly unreached: number
  readonly notRecorded: readonly { readonly test: string; readonly why: string }[]
  readonly findings: number
  readonly notes: readonly string[]
  /** Committed schedules that cannot be read, a sentence each: a run with some does not end well. */
  readonly wrong: readonly string[]
}

/** What a test fails with: its message is the finding as the terminal shows it. */
export class ConfirmedFinding extends Error {
  override readonly name = 'ConfirmedFinding'
}
