/**
 * The one table of commands and options. Parsing (parse.ts), `--help` and docs/cli.md (help.ts) are derived from it, and a test holds
 * that every option is used.
 */
import { USUAL_PICTURE } from '../picture/pictures.ts'
import { DEFAULT_BUDGET } from '../predict/decide/decider.ts'
import { DECIDERS } from '../predict/decide/deciders.ts'
import { DEFAULT_ATTEMPTS } from '../predict/predict.ts'
import { KINDS } from '../witness/candidate.ts'
import { MODELS } from '../trace/model.ts'

export interface OptionRow {
  readonly name: string
  /** `flag` takes no value; `number` a whole one; `word` one of `values` or any; `words` several with commas; `list` may be repeated. */
  readonly type: 'flag' | 'number' | 'word' | 'words' | 'list'
  /** What stands for the value in help. */
  readonly value?: string
  readonly values?: readonly string[]
  readonly min?: number
  readonly max?: number
  /** Said in help, and what the command gets when it is left out; none means the help text says what happens. */
  readonly default?: string | number
  /** The value may be left out, and this is meant then. */
  readonly bare?: string
  readonly help: string
}

export interface PositionalRow {
  readonly name: string
  readonly help: string
  /** Only the last can be repeated: one or more (`some`), or none at all, too (`any`); or be left out (`maybe`). */
  readonly many?: 'some' | 'any' | 'maybe'
}

export interface CommandRow {
  /** One word, or two: the first is then that of a group. */
  readonly name: string
  readonly positionals: readonly PositionalRow[]
  /** What comes after `--`: words that belong to another program. */
  readonly rest?: { readonly name: string; readonly help: string }
  /** Nothing is parsed: every word after it is for another program, --help too. */
  readonly raw?: true
  readonly options: readonly OptionRow[]
  readonly summary: string
  readonly details: string
  readonly example: string
}

/** Commands of two words. `heddle GROUP` alone shows what there is. */
export const GROUPS: readonly { readonly name: string; readonly summary: string }[] = [
  {
    name: 'client',
    summary: 'database clients, and how their statements are read (docs/clients.md)',
  },
  {
    name: 'property',
    summary: 'your own definition of wrong: properties and typestates (docs/property-language.md)',
  },
]

/** Positions are stamps, which are stored in 32 bits. */
const MOST = 2 ** 31 - 1

const file = { name: 'FILE', help: 'a trace: STD text, a drawn trace, or a Heddle trace file' }

const model: OptionRow = {
  name: 'model',
  type: 'word',
  value: 'MODEL',
  values: MODELS,
  help: 'what reads must see in a reordering. Default: maximal if values were recorded or only task-local order is known, else data',
}

const timers: OptionRow = {
  name: 'timers',
  type: 'word',
  value: 'RULE',
  values: ['due', 'latency'],
  default: 'due',
  help: 'due: timers fire in the order that Node guarantees; latency: timers simulate answers of servers and may fire in any order',
}

const property: OptionRow = {
  name: 'property',
  type: 'list',
  value: 'FILE',
  help: 'check the properties and typestates of this file; library:NAME for one that ships with Heddle and is off by default; can be repeated',
}

const library: OptionRow = {
  name: 'library',
  type: 'word',
  value: 'WHICH',
  values: ['on', 'off'],
  default: 'on',
  help: 'whether the properties that ship with Heddle are checked; `heddle property list` shows them',
}

const include: OptionRow = {
  name: 'include',
  type: 'list',
  value: 'GLOB',
  help: 'instrument these modules even if they are large or minified; can be repeated',
}

const exclude: OptionRow = {
  name: 'exclude',
  type: 'list',
  value: 'GLOB',
  help: 'do not instrument these modules; can be repeated',
}

const picture: OptionRow = {
  name: 'picture',
  type: 'number',
  value: 'N',
  min: 0,
  max: 200_000,
  default: USUAL_PICTURE,
  help: 'the most events of each run in the picture of a failure, for --json and reports; 0 for no pictures',
}

const confirm: OptionRow = {
  name: 'confirm',
  type: 'number',
  value: 'N',
  min: 1,
  max: 1000,
  default: 3,
  help: 'how many times a failing schedule is replayed in all',
}

const isolate: OptionRow = {
  name: 'isolate',
  type: 'words',
  value: 'WHAT',
  values: ['files', 'network', 'none'],
  help: 'what each replay gets a private copy of, separated by commas: files (changes to this folder and to temporary folders are discarded), network (loopback only, in the recorded run as well), or none. Default: files, on Linux where the system permits it (docs/real-effects.md)',
}

const isolateTests: OptionRow = {
  name: 'isolate',
  type: 'words',
  value: 'WHAT',
  values: ['files', 'none'],
  help: 'what each replay gets a private copy of: files (changes to this folder and to temporary folders are discarded), or none. Default: files, on Linux where the system permits it (docs/real-effects.md)',
}

const atOnce: OptionRow = {
  name: 'at-once',
  type: 'number',
  value: 'N',
  min: 1,
  max: 2000,
  help: 'the most replays that run at the same time, where they cannot disturb each other. Default: the number of cores, at most four',
}

const beforeEach: OptionRow = {
  name: 'before-each',
  type: 'word',
  value: 'COMMAND',
  help: 'a shell command to run before the recorded run and before every replay, for example to reset a database; if it fails, the check ends',
}

const afterEach: OptionRow = {
  name: 'after-each',
  type: 'word',
  value: 'COMMAND',
  help: 'a shell command to run after the recorded run and after every replay',
}

const report: OptionRow = {
  name: 'report',
  type: 'list',
  value: 'FILE',
  help: 'also write a report; the extension chooses the format: .html, .sarif, .xml (JUnit), .md, .perfetto.json or .json (docs/formats.md); can be repeated',
}

const annotations: OptionRow = {
  name: 'annotations',
  type: 'word',
  value: 'WHEN',
  values: ['auto', 'on', 'off'],
  default: 'auto',
  help: 'print findings as GitHub Actions annotations and add them to the job summary; auto: when running there',
}

const force: OptionRow = { name: 'force', type: 'flag', help: 'overwrite OUT if it exists' }

const config: OptionRow = {
  name: 'config',
  type: 'word',
  value: 'FILE',
  help: 'read options from this file (docs/configuration.md); none reads no file. Default: heddle.config.ts, .js, .mjs or .json in this folder or above it, up to the package',
}

const budget = (of: string, otherwise?: string): OptionRow => ({
  name: 'budget',
  type: 'word',
  value: 'HOW LONG',
  ...(otherwise === undefined ? {} : { default: otherwise }),
  help: of,
})

/** What can be said of tests that run under a test runner: the section `test` of a configuration file. The budgets are those of one test. */
const whyVaries: OptionRow = {
  name: 'why-varies',
  type: 'flag',
  help: 'make up to ten runs without delays, within --replays and --time, and say where they differ from the recorded run, even if all end the same',
}

const history = (help: string): OptionRow => ({ name: 'history', type: 'word', value: 'WHICH', values: ['on', 'off'], default: 'on', help })

const depth = (help: string): OptionRow => ({ name: 'depth', type: 'number', value: 'N', min: 1, max: 1_000_000, help })
const exhaustive: OptionRow = {
  name: 'exhaustive',
  type: 'flag',
  help: 'continue until every class of schedules of this input was run, or --time is used up (docs/explore.md)',
}

const queue = (help: string): OptionRow => ({ name: 'queue', type: 'word', value: 'URL', help })
const queueCreds: OptionRow = {
  name: 'queue-creds',
  type: 'word',
  value: 'FILE',
  help: 'credentials for the NATS server of --queue, a file as nsc makes them; a user, a password or a token can also be part of the URL',
}
const queueSilence: OptionRow = {
  name: 'queue-silence',
  type: 'number',
  value: 'SECONDS',
  min: 1,
  max: 3600,
  default: 30,
  help: 'with --queue: after this long without a sign of life a worker counts as dead, and its items go to other workers',
}
const resume: OptionRow = {
  name: 'resume',
  type: 'word',
  value: 'RUN',
  help: 'with --queue: continue an interrupted run; finished items are not repeated',
}

export const TEST_OPTIONS: readonly OptionRow[] = [
  timers,
  {
    name: 'time',
    type: 'number',
    value: 'SECONDS',
    min: 1,
    max: 86_400,
    default: 20,
    help: 'time limit for each test, after its recorded run. Once the test failed on a busy machine, up to three times as long, unless --time is given',
  },
  { name: 'replays', type: 'number', value: 'N', min: 0, max: 1_000_000, default: 30, help: 'the most replays of one test' },
  {
    name: 'max-findings',
    type: 'number',
    value: 'N',
    min: 1,
    max: 1_000_000,
    default: 1,
    help: 'stop after this many different failures of one test',
  },
  budget(
    'time limit for the tests and their analysis: a time (90s, 5m, 1h), or a multiple (3x) of the time the tests take without Heddle, estimated from the recorded run. With a multiple, 2 seconds (on a busy machine up to 6) and one replay are always used, and the next run goes on with what is left',
    '3x',
  ),
  confirm,
  isolateTests,
  include,
  exclude,
  property,
  library,
  depth('how many departures from the recorded run of a test may be combined. Default: 1, tests are not explored'),
  exhaustive,
  whyVaries,
  history(
    'skip orders that an earlier run of the test replayed without a failure, and what earlier runs tried for a property without success, as long as the code is unchanged',
  ),
  { name: 'off', type: 'list', value: 'GLOB', help: 'run the tests in these files without Heddle; can be repeated' },
]

export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'check',
    positionals: [],
    rest: {
      name: 'COMMAND',
      help: 'a command that starts Node (node app.js, npx tsx app.ts, npm test), Java (java -jar app.jar, mvn exec:java), or a native program (./prog)',
    },
    summary: 'record one run of a program, predict failing runs, and run the program again in that order to confirm them',
    details:
      'The program runs once as usual, and once more if that run fails (never with --replays 0). Ctrl-C ends the recorded run, and the analysis continues. Then the program runs again up to --replays times, with chosen operations delayed. Its effects are real each time, except on files (docs/real-effects.md). Exit code 0: nothing failed. 1: something failed (see --fail-on). 2: Heddle could not do its work, or the program only waited for a process that was not observed. 130: interrupted.',
    example: 'heddle check -- node examples/tickets.js',
    options: [
      timers,
      {
        name: 'time',
        type: 'number',
        value: 'SECONDS',
        min: 1,
        max: 86_400,
        default: 60,
        help: 'time limit for everything after the recorded run. For commands that run tests (mocha, ava, tap, node --test) it is as long as the recorded run took, at least ten seconds, unless --time or --budget is given or something fails. Once something failed on a busy machine, up to three times as long, unless --time or --budget is given',
      },
      { name: 'replays', type: 'number', value: 'N', min: 0, max: 1_000_000, default: 60, help: 'the most replays' },
      {
        name: 'max-findings',
        type: 'number',
        value: 'N',
        min: 1,
        max: 1_000_000,
        default: 10,
        help: 'stop after this many different failures',
      },
      budget(
        'time limit for the recorded run and everything after it: a time (90s, 5m, 1h), or a multiple (3x) of the time the recorded run takes. Whichever of --budget and --time is used up first ends the check',
      ),
      confirm,
      {
        name: 'max-delay',
        type: 'number',
        value: 'MS',
        min: 1,
        max: 86_400_000,
        help: 'a failure that needs a longer delay is NEEDS DELAY, not FAILED. Default: 10000 for an operation, 500 for the whole process',
      },
      picture,
      {
        name: 'record-time',
        type: 'number',
        value: 'SECONDS',
        min: 1,
        max: 86_400,
        help: 'stop the recorded run after this long. Default: it ends by itself',
      },
      {
        name: 'expect-exit',
        type: 'number',
        value: 'CODE',
        min: 0,
        max: 255,
        help: 'the exit code of a successful run, if it is not 0; any other exit code is a failure',
      },
      {
        name: 'only',
        type: 'words',
        value: 'WHAT',
        values: ['files', 'locks', 'memory'],
        help: 'C and C++: record only calls, not reads and writes, and look only for misuse of these, separated by commas; cheap (docs/native.md)',
      },
      include,
      exclude,
      { name: 'detail', type: 'flag', help: 'also record calls and branches; the recorded run is slower' },
      {
        name: 'order',
        type: 'word',
        value: 'WHICH',
        values: ['global', 'task'],
        default: 'global',
        help: 'Java: task records no order between threads, which is cheaper; an order that explains what was read is computed afterwards',
      },
      {
        name: 'branches',
        type: 'flag',
        help: 'find branches that another schedule takes the other way (docs/branches.md); the recorded run and the replays are slower',
      },
      {
        name: 'branch-window',
        type: 'word',
        value: 'N[@K]',
        help: 'with --branches, for long runs: record only N rows of the path of each thread, the K-th window of N counted from 0',
      },
      isolate,
      atOnce,
      beforeEach,
      afterEach,
      property,
      library,
      history(
        'skip what earlier checks tried for a property without success, and of a suite of tests the orders that they replayed without a failure, as long as that code is unchanged',
      ),
      depth(
        'how many departures from the recorded run may be combined; 1 predicts from the recorded run alone. Default: programs in which nothing failed are explored with the remaining replays',
      ),
      exhaustive,
      whyVaries,
      {
        name: 'fail-on',
        type: 'word',
        value: 'WHEN',
        values: ['failed', 'reproduced', 'predicted', 'none'],
        default: 'failed',
        help: 'exit with code 1 at this status or a worse one',
      },
      config,
      queue('replays are made by the workers of a NATS server with JetStream, as nats://host:4222 (docs/scale.md)'),
      queueCreds,
      queueSilence,
      resume,
      report,
      annotations,
      { name: 'json', type: 'flag', help: "print JSON as in docs/finding.schema.json; the program's own output goes to standard error" },
      { name: 'verbose', type: 'flag', help: 'list what was predicted and did not fail' },
    ],
  },
  {
    name: 'test',
    positionals: [],
    rest: { name: 'COMMAND', help: 'a command that runs tests: node --test, npx jest, npm test' },
    summary: 'run tests as usual, then run each passing test again under other schedules; a failure there fails the test',
    details:
      'For node:test and Jest; Vitest has a plugin (docs/vitest.md). The exit code is that of the command: 1 if a test failed. 2: Heddle could not do its work, no test was recorded, or a file in __schedules__ is invalid. 130: interrupted. `// heddle: off` above a test, or at the top of a file, skips it.',
    example: 'heddle test -- node --test',
    options: [
      ...TEST_OPTIONS,
      {
        name: 'changed',
        type: 'word',
        value: 'BASE',
        bare: 'HEAD',
        help: 'analyse only tests that load a file which is new or differs from this commit; the others run as usual',
      },
      { name: 'update', type: 'flag', help: 'remove committed schedules that are fixed or stale, and write new ones even if CI is set' },
      {
        name: 'shard',
        type: 'word',
        value: 'N/OF',
        help: 'run only this share of the test files, as 3/8: for CI matrices without a server (docs/scale.md)',
      },
      { name: 'out', type: 'word', value: 'FILE', help: 'write what was found for `heddle merge`, a file in .heddle' },
      queue('every test file is run by a worker of a NATS server with JetStream, as nats://host:4222 (docs/scale.md)'),
      queueCreds,
      queueSilence,
      resume,
      config,
      report,
      annotations,
    ],
  },
  {
    name: 'worker',
    positionals: [],
    summary: 'run replays and tests that `heddle check --queue` and `heddle test --queue` put on a queue',
    details:
      'Run it in a checkout of the same project, on any machine. A worker accepts a run only if the version of Heddle, the platform, the version of Node, compiler or JDK and the files of the program are the same, and if the command is allowed: by --allow, or because Heddle recorded it here before. No code comes from the queue. Ctrl-C returns unfinished items to the queue.',
    example: "heddle worker --queue nats://build.local:4222 --allow 'node --test **'",
    options: [
      queue('the NATS server with JetStream, as nats://host:4222'),
      queueCreds,
      {
        name: 'allow',
        type: 'list',
        value: 'PATTERN',
        help: 'a command that may be run: words, * for one and ** for any number of names in the project, never for options, URLs or paths outside; can be repeated',
      },
      { name: 'at-once', type: 'number', value: 'N', min: 1, max: 256, default: 1, help: 'the most items done at the same time' },
      {
        name: 'idle',
        type: 'number',
        value: 'SECONDS',
        min: 1,
        max: 86_400,
        help: 'exit after this long without work. Default: never',
      },
      isolate,
      beforeEach,
      afterEach,
    ],
  },
  {
    name: 'merge',
    positionals: [{ name: 'PART', help: 'what `heddle test --out` wrote, or the findings.json of a run', many: 'some' }],
    summary: 'merge the shards of a test run',
    details:
      'The order of the parts does not matter, and a part that is given twice counts once. Exit code 1: a test failed in some shard. 2: a shard is missing.',
    example: 'heddle merge part*.heddle --to report.html',
    options: [
      {
        name: 'to',
        type: 'list',
        value: 'FILE',
        help: 'the file to write: a report as of `heddle report`, or .heddle for one part made of all; can be repeated',
      },
    ],
  },
  {
    name: 'replay',
    positionals: [{ name: 'WHAT', help: 'the id of a finding (its first digits are enough), or a file of .heddle/schedules' }],
    summary: 'run a program again under the schedule of a finding',
    rest: { name: 'COMMAND', help: 'the command of the schedule, to permit running it' },
    details:
      'Run it in the folder of the check. The command is printed first. It runs without asking if `heddle check` or `heddle test` recorded it on this machine in this folder. If not, a terminal asks; without a terminal, give --yes or the same command after --. Exit code 1: the program failed. 0: it did not.',
    example: 'heddle replay 3f9a12c4 --runs 5',
    options: [
      { name: 'runs', type: 'number', value: 'N', min: 1, max: 1_000_000, default: 3, help: 'how many times' },
      { name: 'inspect', type: 'flag', help: "run once, with Node's debugger waiting at the first line" },
      { name: 'yes', type: 'flag', help: 'run the command of the schedule even if it was not recorded on this machine' },
      isolate,
      beforeEach,
      afterEach,
    ],
  },
  {
    name: 'open',
    positionals: [{ name: 'FINDINGS', help: 'the JSON of a check. Default: the last check of this folder', many: 'maybe' }],
    summary: 'show the report in the browser, with the progress of a check that is running',
    details:
      'Serves the report on 127.0.0.1 only, at an address that cannot be guessed, until Ctrl-C. While `heddle check` runs in this folder, the page shows its progress, then its findings.',
    example: 'heddle open',
    options: [
      {
        name: 'browser',
        type: 'word',
        value: 'WHICH',
        values: ['on', 'off'],
        help: 'whether to start the browser. Default: only from a terminal, and if there is a screen',
      },
    ],
  },
  {
    name: 'report',
    positionals: [{ name: 'FINDINGS', help: 'the JSON of a check. Default: the last check of this folder', many: 'maybe' }],
    summary: 'write the result of a check as HTML, SARIF, JUnit XML, Markdown, a Perfetto trace or JSON',
    details: 'Each file is written completely or not at all, and replaces an existing one. No program is run.',
    example: 'heddle report --to report.html --to heddle.sarif',
    options: [
      {
        name: 'to',
        type: 'list',
        value: 'FILE',
        help: 'the file to write; the extension chooses the format: .html, .sarif, .xml (JUnit), .md, .perfetto.json or .json (docs/formats.md); can be repeated',
      },
    ],
  },
  {
    name: 'cc',
    positionals: [{ name: 'ARGUMENTS', help: 'all arguments of the compiler', many: 'any' }],
    raw: true,
    summary: 'compile C for Heddle: gcc or clang with instrumentation (docs/native.md)',
    details:
      'For makefiles: `CC="heddle cc" CXX="heddle c++" make`. All arguments go to the compiler, and the exit code and messages are those of the compiler. The compiler is HEDDLE_CC, or the first of gcc, cc and clang that is installed. `heddle cc --path`, with no other argument, prints the path of an equivalent script that starts faster, for configure and CMake.',
    example: 'heddle cc -O2 -o queue examples/queue.c -pthread',
    options: [],
  },
  {
    name: 'c++',
    positionals: [{ name: 'ARGUMENTS', help: 'all arguments of the compiler', many: 'any' }],
    raw: true,
    summary: 'compile C++ for Heddle',
    details: 'Works like `heddle cc`. The compiler is HEDDLE_CXX, or the first of g++, c++ and clang++ that is installed.',
    example: 'heddle c++ -std=c++17 -O2 -o server server.cc -pthread',
    options: [],
  },
  {
    name: 'doctor',
    positionals: [],
    summary: 'check that Heddle works on this machine, by finding a planted bug',
    details: 'Exit code 0: everything that is needed works. 2: something does not.',
    example: 'heddle doctor',
    options: [],
  },
  {
    name: 'predict',
    positionals: [file],
    summary: 'predict failures from a trace, each with a checked order of events that leads to it',
    details:
      'Exit code 0: done, with or without predictions. 1: with --fail-on predicted, something was predicted. 2: Heddle could not do its work. 130: interrupted; what was found so far is printed.',
    example: 'heddle predict examples/account.txt --kinds data-race,atomicity',
    options: [
      { name: 'kinds', type: 'words', value: 'KINDS', values: KINDS, help: 'what to look for, separated by commas. Default: everything' },
      property,
      model,
      {
        name: 'decider',
        type: 'word',
        value: 'DECIDER',
        values: DECIDERS,
        default: 'staged',
        help: 'the decision procedure. staged is complete; the others are for comparison (interval decides order violations only, under model sync)',
      },
      {
        name: 'budget',
        type: 'number',
        value: 'N',
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        default: DEFAULT_BUDGET,
        help: 'search steps per candidate; beyond them the answer is unknown',
      },
      {
        name: 'attempts',
        type: 'number',
        value: 'N',
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        default: DEFAULT_ATTEMPTS,
        help: 'the most candidates tried per cause; no effect with --ungrouped',
      },
      { name: 'ungrouped', type: 'flag', help: 'report every feasible candidate, not one per cause' },
      {
        name: 'strict',
        type: 'flag',
        help: 'reject a trace whose lock events are inconsistent, instead of dropping those events with a warning',
      },
      {
        name: 'workers',
        type: 'number',
        value: 'N',
        min: 1,
        max: 256,
        help: 'the number of threads; 1 uses the main thread only. Default: the number of cores, once the work takes a moment. The result does not depend on it',
      },
      {
        name: 'time',
        type: 'number',
        value: 'SECONDS',
        min: 1,
        max: 86_400,
        help: 'stop after this long and print what was found so far. Default: no limit',
      },
      report,
      { name: 'json', type: 'flag', help: 'print JSON as in docs/finding.schema.json' },
      {
        name: 'json-lines',
        type: 'flag',
        help: 'print each prediction as a line of JSON as soon as it is known, and the rest of the document as the last line',
      },
      { name: 'order', type: 'flag', help: 'with --json and JSON reports: include every event of each order, not only its runs' },
      {
        name: 'fail-on',
        type: 'word',
        value: 'WHEN',
        values: ['none', 'predicted'],
        default: 'none',
        help: 'exit with code 1 at this status',
      },
      {
        name: 'limit',
        type: 'number',
        value: 'N',
        min: 0,
        max: Number.MAX_SAFE_INTEGER,
        default: 10,
        help: 'the most findings printed in full; the others get one line each',
      },
    ],
  },
  {
    name: 'explain',
    positionals: [
      file,
      { name: 'A', help: 'the position of an event: its line in STD, its number in a drawn trace; `heddle show` prints them' },
      { name: 'B', help: 'the position of another event' },
    ],
    summary: 'explain why event A must come before event B, or show an order in which it does not',
    details: 'A position that several events share means the first of them; for a wait, which is three events, it means the wake-up.',
    example: 'heddle explain examples/account.txt 3 6',
    options: [model],
  },
  {
    name: 'show',
    positionals: [{ name: 'FILE', help: 'a trace, or the id of a finding' }],
    summary: 'print a trace in columns, one per task, or a finding in full',
    details: 'The number on the left is the position of the event. At most 200 events are printed without --all.',
    example: 'heddle show examples/account.txt --around 9 --context 3',
    options: [
      { name: 'from', type: 'number', value: 'N', min: 0, max: MOST, help: 'only events at this position and later' },
      { name: 'to', type: 'number', value: 'N', min: 0, max: MOST, help: 'only events at this position and earlier' },
      { name: 'task', type: 'list', value: 'NAME', help: 'only this task; can be repeated' },
      { name: 'around', type: 'number', value: 'N', min: 0, max: MOST, help: 'only events around this position' },
      { name: 'context', type: 'number', value: 'N', min: 0, max: MOST, default: 5, help: 'how many events before and after --around' },
      { name: 'all', type: 'flag', help: 'print everything, however long' },
      {
        name: 'as-test',
        type: 'word',
        value: 'RUNNER',
        values: ['vitest', 'node', 'jest'],
        help: 'print a finding as a regression test for this runner. The test replays the schedule: it fails while the bug exists and passes once it is fixed',
      },
    ],
  },
  {
    name: 'import',
    positionals: [
      { name: 'IN', help: 'a trace of any format' },
      { name: 'OUT', help: 'the Heddle trace file to write (.heddle)' },
    ],
    summary: 'convert a trace to the binary format, which opens faster',
    details: 'OUT is written completely or not at all.',
    example: 'heddle import run.std run.heddle',
    options: [force],
  },
  {
    name: 'export',
    positionals: [
      { name: 'IN', help: 'a trace of any format' },
      { name: 'OUT', help: 'the file to write; the extension .std, .txt or .heddle chooses the format' },
    ],
    summary: 'write a trace in another format',
    details: 'OUT is written completely or not at all.',
    example: 'heddle export run.heddle run.std',
    options: [
      {
        name: 'format',
        type: 'word',
        value: 'FORMAT',
        values: ['std', 'text', 'binary'],
        help: 'STD lines, a drawing in columns, or a Heddle trace file. Default: by the extension of OUT',
      },
      force,
    ],
  },
  {
    name: 'client check',
    positionals: [{ name: 'FILE', help: 'a client file', many: 'some' }],
    summary: 'check client files (docs/clients.md): list what they declare, or all their errors',
    details: 'Exit code 2 if a file has errors.',
    example: 'heddle client check shop.client',
    options: [],
  },
  {
    name: 'client list',
    positionals: [{ name: 'FILE', help: 'a client file, to be listed after the library', many: 'any' }],
    summary: 'list the database clients that Heddle knows, and those of client files',
    details: 'One line for each call: the client, its packages, how its statements are read, the call, and the file.',
    example: 'heddle client list',
    options: [{ name: 'json', type: 'flag', help: 'print JSON: an array with an object for each client' }],
  },
  {
    name: 'property check',
    positionals: [{ name: 'FILE', help: 'a property file', many: 'some' }],
    summary: 'check property files: list what they declare, or all their errors',
    details: 'Exit code 2 if a file has errors.',
    example: 'heddle property check shop.prop',
    options: [],
  },
  {
    name: 'property list',
    positionals: [{ name: 'FILE', help: 'a property file, to be listed after the library', many: 'any' }],
    summary: 'list the properties and typestates that ship with Heddle, and those of property files',
    details:
      'One line each: name and parameters; on or off by default; violation if violating it is a failure by itself, failure if the program has to fail as well.',
    example: 'heddle property list shop.prop',
    options: [{ name: 'json', type: 'flag', help: 'print JSON: an array with an object for each' }],
  },
  {
    name: 'property format',
    positionals: [{ name: 'FILE', help: 'a property file', many: 'some' }],
    summary: 'format property files',
    details: 'Comments on their own line and at the end of a line are kept. A file with a comment elsewhere is rejected.',
    example: 'heddle property format shop.prop --write',
    options: [{ name: 'write', type: 'flag', help: 'write the files instead of printing them, and list those that changed' }],
  },
  {
    name: 'property infer',
    positionals: [{ name: 'TRACE', help: 'a trace of a run that passed', many: 'some' }],
    summary: 'infer a state machine for each class of objects in traces',
    details:
      'The result is a guess from what at least two objects of a class did. It forbids what no object did, which may be correct: review it before use.',
    example: 'heddle property infer run.heddle --class Pool',
    options: [
      { name: 'class', type: 'word', value: 'NAME', help: 'only this class and those that extend it. Default: every class by itself' },
      {
        name: 'k',
        type: 'number',
        value: 'N',
        min: 0,
        max: 10,
        default: 1,
        help: 'how many operations ahead two states must agree to be one state; larger values give more states',
      },
    ],
  },
  {
    name: 'property test',
    positionals: [{ name: 'DIR', help: 'a folder with programs (.js, .mjs, .cjs, .ts), or one program' }],
    summary: 'check sample programs: exactly the violations that their comments expect must be found',
    details:
      'A comment // expect NAME marks the line of one event of the violation. A program without it, or with // expect nothing or // ok, must have no finding. A line // flags: OPTIONS passes options to `heddle check`. Programs run in DIR, and leave no files there. Exit code 1: something is not as expected.',
    example: 'heddle property test samples --property shop.prop',
    options: [
      property,
      library,
      {
        name: 'time',
        type: 'number',
        value: 'SECONDS',
        min: 1,
        max: 86_400,
        default: 20,
        help: 'time limit for each program, after its recorded run',
      },
      { name: 'json', type: 'flag', help: 'print JSON: what each program expects, and what was found' },
    ],
  },
  {
    name: 'decide',
    positionals: [{ name: 'FILE', help: 'JSON: { "n": nodes, "next": [successor or -1], "hard": [[a, b]], "poly": [[a, b, c, d]] }' }],
    summary: 'decide an abstract polygraph: is there an order that keeps every edge and one edge of every pair?',
    details: 'Prints feasible with an order, infeasible, or unknown.',
    example: 'heddle decide problem.json',
    options: [
      {
        name: 'decider',
        type: 'word',
        value: 'DECIDER',
        values: ['staged', 'polygraph'],
        default: 'staged',
        help: 'staged searches to the end; polygraph is the published method, which may say unknown',
      },
    ],
  },
]
