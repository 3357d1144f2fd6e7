/**
 * The options as TypeScript types: for configuration files and callers of the library. Names, values and defaults are those of the table; a test
 * compares the two.
 */

type List = string | readonly string[]
type Switch = 'on' | 'off' | boolean

/** Of a recorded run. */
export interface RecordSettings {
  /** `due`: timers fire in the order Node promises. `latency`: timers stand for answers of servers and may fire in any order. */
  timers?: 'due' | 'latency' | undefined
  /** Seconds, then the recorded run is stopped. Left out, it ends by itself. */
  recordTime?: number | undefined
  /** The exit code of the program when all is well, if that is not 0. */
  expectExit?: number | undefined
  /** C and C++: record only calls, and look for misuse of these alone. */
  only?: readonly ('files' | 'locks' | 'memory')[] | undefined
  /** Globs of modules to look into even if they are large or minified. */
  include?: List | undefined
  /** Globs of modules to leave alone. */
  exclude?: List | undefined
  /** Also record calls and branches. */
  detail?: boolean | undefined
  /** `task`: Java programs record no order between threads. */
  order?: 'global' | 'task' | undefined
  /** Find branches that another schedule takes the other way (docs/branches.md). */
  branches?: boolean | undefined
  /** With `branches`: of every thread record only N rows of paths, the K-th window of them from 0, as `N@K`. */
  branchWindow?: string | undefined
  /** Files with properties and typestates to look for, or `library:NAME`. */
  property?: List | undefined
  /** Whether the properties that ship with Heddle are looked for, too. */
  library?: Switch | undefined
}

export interface CheckSettings extends RecordSettings {
  /** Seconds for everything after the recorded run. */
  time?: number | undefined
  /** How often the program may be run again. */
  replays?: number | undefined
  /** For the recorded run and everything after it: `5m`, or a multiple of what the recorded run took, `3x`. */
  budget?: string | undefined
  /** Stop after so many different failures. */
  maxFindings?: number | undefined
  /** How often a schedule that failed is replayed in all. */
  confirm?: number | undefined
  /** Milliseconds: a failure that needs a longer delay does not count. Left out, 10000 for an operation and 500 for the whole process. */
  maxDelay?: number | undefined
  /** What each replay has of its own: `files`, `network`, both, or `none`. Left out, files where that can be done. */
  isolate?: List | undefined
  /** How many replays run at the same time at most. Left out, as many as there are cores, and four at most. */
  atOnce?: number | undefined
  /** A shell command to run before the recorded run and before every replay. */
  beforeEach?: string | undefined
  /** The same after each of them. */
  afterEach?: string | undefined
  /** Skip what earlier checks tried for a property without success, as long as that code is unchanged. */
  history?: Switch | undefined
  /** How many events of each run the picture of a failure has at most; 0 for no pictures. */
  picture?: number | undefined
  /** How many departures from the recorded run may be combined: from 2 on, replays that showed something new are predicted from, too (threads only). */
  depth?: number | undefined
  /** Go on until every class of schedules of this input was run, or the time ends (threads only). */
  exhaustive?: boolean | undefined
  /** Say where runs without delays differ from the recorded one, also if they end alike. */
  whyVaries?: boolean | undefined
  /** Report files to write; the extension says the format. */
  report?: List | undefined
}

/** Of each test that runs under a test runner. */
export interface TestSettings {
  timers?: 'due' | 'latency' | undefined
  /** Seconds for each test, after its recorded run. */
  time?: number | undefined
  /** How often a test may be run again. */
  replays?: number | undefined
  /** For the whole run of tests with their analysis: `5m`, or a multiple of what the tests take when they are recorded, `3x`. */
  budget?: string | undefined
  /** Of one test, stop after so many different failures. */
  maxFindings?: number | undefined
  /** Run every test without delays as well, and say where that differs from the recorded run. */
  whyVaries?: boolean | undefined
  /** Departures from the recorded run that may be combined. Left out, 1: tests are not explored. */
  depth?: number | undefined
  /** Until every class of schedules was run, or `time` ends. */
  exhaustive?: boolean | undefined
  /** How often a schedule that failed is replayed in all. */
  confirm?: number | undefined
  /** What each replay has of its own: `files` or `none`. Left out, files where that can be done. */
  isolate?: List | undefined
  include?: List | undefined
  exclude?: List | undefined
  property?: List | undefined
  library?: Switch | undefined
  /** Leave out orders that an earlier run of the test replayed without a failure, as long as the code is the same. */
  history?: Switch | undefined
  /** Globs of files whose tests run without Heddle. */
  off?: List | undefined
}

/** What `heddle.config.ts` exports. */
export interface Config extends CheckSettings {
  /** When the exit code of `heddle check` is 1: at this status or a worse one. */
  failOn?: 'failed' | 'reproduced' | 'predicted' | 'none' | undefined
  /** Print JSON. */
  json?: boolean | undefined
  /** Annotations of GitHub Actions; `auto`: when it runs there. */
  annotations?: 'auto' | 'on' | 'off' | undefined
  /** List what was predicted and did not fail. */
  verbose?: boolean | undefined
  /** For test runners. What it leaves out is as at the top of the file, except for `time`, `replays` and `maxFindings`. */
  test?: TestSettings | undefined
}
