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
  /** Only the last may be given several times: one or more (`some`), or none at all, too (`any`); or be left out (`maybe`). */
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
    summary: 'clients of databases and how their statements are read: docs/clients.md',
  },
  {
    name: 'property',
    summary: 'what must never happen, in a few lines of your own: properties and typestates (docs/property-language.md)',
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
  help: 'what reads must see in a reordering; left out, maximal where values were recorded or only task-local order is known, else data',
}

const timers: OptionRow = {
  name: 'timers',
  type: 'word',
  value: 'RULE',
  values: ['due', 'latency'],
  default: 'due',
  help: 'due: timers fire in the order Node promises; latency: timers stand for answers of servers and may fire in any order',
}

const property: OptionRow = {
  name: 'property',
  type: 'list',
  value: 'FILE',
  help: 'look for the properties and typestates of this file; library:NAME for one that ships with Heddle and is off; may be given several times',
}

const library: OptionRow = {
  name: 'library',
  type: 'word',
  value: 'WHICH',
  values: ['on', 'off'],
  default: 'on',
  help: 'whether the properties that ship with Heddle are looked for, too; `heddle property list` shows them',
}

const include: OptionRow = {
  name: 'include',
  type: 'list',
  value: 'GLOB',
  help: 'look into these modules even if they are large or minified; may be given several times',
}

const exclude: OptionRow = {
  name: 'exclude',
  type: 'list',
  value: 'GLOB',
  help: 'do not look into these modules; may be given several times',
}

const picture: OptionRow = {
  name: 'picture',
  type: 'number',
  value: 'N',
  min: 0,
  max: 200_000,
  default: USUAL_PICTURE,
  help: 'how many events of each run the picture of a failure has at most, for --json and reports; 0 for no pictures',
}

const confirm: OptionRow = {
  name: 'confirm',
  type: 'number',
  value: 'N',
  min: 1,
  max: 1000,
  default: 3,
  help: 'how often a schedule that failed is replayed in all',
}

const isolate: OptionRow = {
  name: 'isolate',
  type: 'words',
  value: 'WHAT',
  values: ['files', 'network', 'none'],
  help: 'what each replay has of its own, parted by commas: files (changes in this folder and in temporary folders are thrown away), network (only loopback, for the recorded run, too), or none; left out, files, on Linux where the system permits it (docs/real-effects.md)',
}

const isolateTests: OptionRow = {
  name: 'isolate',
  type: 'words',
  value: 'WHAT',
  values: ['files', 'none'],
  help: 'what each replay has of its own: files (changes in this folder and in temporary folders are thrown away), or none; left out, files, on Linux where the system permits it (docs/real-effects.md)',
}

const atOnce: OptionRow = {
  name: 'at-once',
  type: 'number',
  value: 'N',
  min: 1,
  max: 64,
  help: "how many replays run at the same time at most, where they cannot get into each other's way; left out, as many as there are cores, and four at most",
}

const beforeEach: OptionRow = {
  name: 'before-each',
  type: 'word',
  value: 'COMMAND',
  help: 'a shell command to run before the recorded run and before every replay, as to reset a database; when it fails the check ends',
}

const afterEach: OptionRow = {
  name: 'after-each',
  type: 'word',
  value: 'COMMAND',
  help: 'the same after each of them',
}

const report: OptionRow = {
  name: 'report',
  type: 'list',
  value: 'FILE',
  help: 'also write a report; .html, .sarif, .xml (JUnit), .md, .perfetto.json or .json says its format (docs/formats.md); may be given several times',
}

const annotations: OptionRow = {
  name: 'annotations',
  type: 'word',
  value: 'WHEN',
  values: ['auto', 'on', 'off'],
  default: 'auto',
  help: 'print findings as annotations for GitHub Actions, and put them on the summary page of the step; auto: when run there',
}

const force: OptionRow = { name: 'force', type: 'flag', help: 'replace OUT if it is there' }

const config: OptionRow = {
  name: 'config',
  type: 'word',
  value: 'FILE',
  help: 'read options from this file (docs/configuration.md), none to read no file; left out, heddle.config.ts, .js, .mjs or .json of this folder or above, up to the package',
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
  help: 'say where runs without delays differ from the recorded one, also if they end alike: makes up to ten of them, as far as --replays and --time go',
}

const depth = (help: string): OptionRow => ({ name: 'depth', type: 'number', value: 'N', min: 1, max: 1_000_000, help })
const exhaustive: OptionRow = {
  name: 'exhaustive',
  type: 'flag',
  help: 'go on until every class of schedules of this input was run, or --time ends (docs/explore.md)',
}

export const TEST_OPTIONS: readonly OptionRow[] = [
  timers,
  { name: 'time', type: 'number', value: 'SECONDS', min: 1, max: 86_400, default: 20, help: 'for each test, after its recorded run' },
  { name: 'replays', type: 'number', value: 'N', min: 0, max: 1_000_000, default: 30, help: 'how often a test may be run again' },
  {
    name: 'max-findings',
    type: 'number',
    value: 'N',
    min: 1,
    max: 1_000_000,
    default: 1,
    help: 'of one test, stop after so many different failures',
  },
  budget(
    'for the whole run of tests with their analysis: a time (90s, 5m, 1h), or a multiple (3x) of what the tests take when they are recorded; with a multiple everything is analysed in the first minute',
    '2x',
  ),
  confirm,
  isolateTests,
  include,
  exclude,
  property,
  library,
  depth('how many departures from the recorded run of a test may be combined; left out, 1: tests are not explored'),
  exhaustive,
  whyVaries,
  { name: 'off', type: 'list', value: 'GLOB', help: 'run the tests of these files without Heddle; may be given several times' },
]

export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'check',
    positionals: [],
    rest: {
      name: 'COMMAND',
      help: 'a command that starts Node (node app.js, npx tsx app.ts, npm test), Java (java -jar app.jar, mvn exec:java), or a native program (./prog)',
    },
    summary: 'record one run of a program, predict what other runs can do, and run it again that way to see whether it fails',
    details:
      'The program runs as always, once, and once more if that run fails (never with --replays 0); Ctrl-C ends it and the analysis goes on. Then it is run again up to --replays times with chosen operations held back. What it does is real each time, but for files (docs/real-effects.md). Exit code 0 when nothing failed, 1 when something did (see --fail-on), 2 when Heddle could not do its work or the program only waited for one that was not observed, 130 when it was interrupted.',
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
        help: 'for everything after the recorded run. A command that runs tests (mocha, ava, tap, node --test) is looked at for as long as the recorded run took, and ten seconds at least, unless --time or --budget is given or something fails',
      },
      { name: 'replays', type: 'number', value: 'N', min: 0, max: 1_000_000, default: 60, help: 'how often the program may be run again' },
      {
        name: 'max-findings',
        type: 'number',
        value: 'N',
        min: 1,
        max: 1_000_000,
        default: 10,
        help: 'stop after so many different failures',
      },
      budget(
        'for the recorded run and everything after it: a time (90s, 5m, 1h), or a multiple (3x) of what the recorded run took; the first of this and --time that is used up counts',
      ),
      confirm,
      {
        name: 'max-delay',
        type: 'number',
        value: 'MS',
        min: 1,
        max: 86_400_000,
        help: 'a failure that needs a longer delay is NEEDS DELAY, not FAILED; left out, 10000 for an operation and 500 for the whole process',
      },
      picture,
      {
        name: 'record-time',
        type: 'number',
        value: 'SECONDS',
        min: 1,
        max: 86_400,
        help: 'stop the recorded run then; left out, it ends by itself',
      },
      {
        name: 'expect-exit',
        type: 'number',
        value: 'CODE',
        min: 0,
        max: 255,
        help: 'the exit code of the program when all is well, if that is not 0; every other one is a failure',
      },
      {
        name: 'only',
        type: 'words',
        value: 'WHAT',
        values: ['files', 'locks', 'memory'],
        help: 'of C and C++ programs record only calls, not reads and writes, and look for misuse of these alone, parted by commas; costs little (docs/native.md)',
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
        help: 'task: Java programs record no order between threads, which costs less; an order that explains what was read is looked for afterwards',
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
        help: 'with --branches: of every thread record only N rows of paths, the K-th window of them from 0; for long runs',
      },
      isolate,
      atOnce,
      beforeEach,
      afterEach,
      property,
      library,
      {
        name: 'history',
        type: 'word',
        value: 'WHICH',
        values: ['on', 'off'],
        default: 'on',
        help: 'leave out what earlier checks tried in vain for a property, as long as the code there is the same',
      },
      depth(
        'how many departures from the recorded run may be combined; 1: predict from the recorded run alone. Left out, Node, C and C++ programs in which nothing failed are explored with the replays that are left',
      ),
      exhaustive,
      whyVaries,
      {
        name: 'fail-on',
        type: 'word',
        value: 'WHEN',
        values: ['failed', 'reproduced', 'predicted', 'none'],
        default: 'failed',
        help: 'when the exit code is 1: at this status or a worse one',
      },
      config,
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
    summary: 'run tests as always, and each that passes again under other schedules: what fails then is a failed test',
    details:
      'For node:test and Jest; Vitest has a plugin (docs/vitest.md). Exit code: that of the command, so 1 when a test failed; 2 when Heddle could not do its work, no test was recorded, or a file in __schedules__ is wrong, 130 when it was interrupted. `// heddle: off` above a test, or at the top of a file, leaves it alone.',
    example: 'heddle test -- node --test',
    options: [
      ...TEST_OPTIONS,
      {
        name: 'changed',
        type: 'word',
        value: 'BASE',
        bare: 'HEAD',
        help: 'analyse only tests that reach a file which differs from this commit, or is new; the others run as always',
      },
      { name: 'update', type: 'flag', help: 'drop committed schedules that are fixed or stale, and write new ones also where CI is set' },
      config,
      report,
      annotations,
    ],
  },
  {
    name: 'replay',
    positionals: [{ name: 'WHAT', help: 'the id of a finding (its first digits do), or a file of .heddle/schedules' }],
    summary: 'run a program again under the schedule of a finding',
    rest: { name: 'COMMAND', help: 'the command of the schedule, to say that it may be run' },
    details:
      'Run it in the folder in which the finding was made. The command is shown first. It is run if `heddle check` or `heddle test` has recorded it on this machine in this folder; otherwise you are asked at a terminal; elsewhere say --yes, or give the same command after --. Exit code 1 when the program failed, 0 when it did not.',
    example: 'heddle replay 3f9a12c4 --runs 5',
    options: [
      { name: 'runs', type: 'number', value: 'N', min: 1, max: 1_000_000, default: 3, help: 'how often' },
      { name: 'inspect', type: 'flag', help: "once, with Node's debugger waiting at the first line" },
      { name: 'yes', type: 'flag', help: 'run the command of the schedule though it was not recorded on this machine' },
      isolate,
      beforeEach,
      afterEach,
    ],
  },
  {
    name: 'open',
    positionals: [{ name: 'FINDINGS', help: 'the JSON of a check; left out, the last one of this folder', many: 'maybe' }],
    summary: 'show the report in the browser, with the progress of a check that is running',
    details:
      'Serves it on 127.0.0.1 only, at an address nobody can guess, until Ctrl-C. While `heddle check` runs in this folder the page follows it, and shows what it found when it is done.',
    example: 'heddle open',
    options: [
      {
        name: 'browser',
        type: 'word',
        value: 'WHICH',
        values: ['on', 'off'],
        help: 'whether the browser is started; left out, only from a terminal and where there is a screen',
      },
    ],
  },
  {
    name: 'report',
    positionals: [{ name: 'FINDINGS', help: 'the JSON of a check; left out, the last one of this folder', many: 'maybe' }],
    summary: 'write the result of a check as HTML, SARIF, JUnit XML, Markdown, a Perfetto trace or JSON',
    details: 'Each file is written whole or not at all, and replaces what was there. Nothing is run.',
    example: 'heddle report --to report.html --to heddle.sarif',
    options: [
      {
        name: 'to',
        type: 'list',
        value: 'FILE',
        help: 'the file to write; .html, .sarif, .xml (JUnit), .md, .perfetto.json or .json says its format (docs/formats.md); may be given several times',
      },
    ],
  },
  {
    name: 'cc',
    positionals: [{ name: 'ARGUMENTS', help: "the compiler's own, all of them", many: 'any' }],
    raw: true,
    summary: 'compile C so that Heddle sees what the program does: gcc or clang with the flags for it (docs/native.md)',
    details:
      'For makefiles: `CC="heddle cc" CXX="heddle c++" make`. Everything after it goes to the compiler, and exit code and messages are its own. The compiler is HEDDLE_CC, or the first of gcc, cc and clang. `heddle cc --path`, with nothing else, prints the path of a script that does the same and starts faster: for configure and CMake.',
    example: 'heddle cc -O2 -o queue examples/queue.c -pthread',
    options: [],
  },
  {
    name: 'c++',
    positionals: [{ name: 'ARGUMENTS', help: "the compiler's own, all of them", many: 'any' }],
    raw: true,
    summary: 'the same for C++',
    details: 'As `heddle cc`. The compiler is HEDDLE_CXX, or the first of g++, c++ and clang++.',
    example: 'heddle c++ -std=c++17 -O2 -o server server.cc -pthread',
    options: [],
  },
  {
    name: 'doctor',
    positionals: [],
    summary: 'say whether Heddle works here, and find a planted bug to prove it',
    details: 'Exit code 0 when everything needed works, 2 when something does not.',
    example: 'heddle doctor',
    options: [],
  },
  {
    name: 'predict',
    positionals: [file],
    summary: 'predict the failures of the runs that did not happen, each with a checked order of events that leads to it',
    details:
      'Exit code 0 when the work was done, whatever was predicted; 1 with --fail-on predicted and at least one prediction; 2 when Heddle could not do its work; 130 when it was interrupted (what was found until then is printed).',
    example: 'heddle predict examples/account.txt --kinds data-race,atomicity',
    options: [
      { name: 'kinds', type: 'words', value: 'KINDS', values: KINDS, help: 'what to look for, parted by commas; left out, everything' },
      property,
      model,
      {
        name: 'decider',
        type: 'word',
        value: 'DECIDER',
        values: DECIDERS,
        default: 'staged',
        help: 'who decides: staged is complete; the others are there to be compared with (interval is order violations only, by model sync)',
      },
      {
        name: 'budget',
        type: 'number',
        value: 'N',
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        default: DEFAULT_BUDGET,
        help: 'steps of search per candidate before it stays unknown',
      },
      {
        name: 'attempts',
        type: 'number',
        value: 'N',
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        default: DEFAULT_ATTEMPTS,
        help: 'candidates of one cause tried before giving up on it; has no effect with --ungrouped',
      },
      { name: 'ungrouped', type: 'flag', help: 'every feasible candidate, not one per cause' },
      {
        name: 'strict',
        type: 'flag',
        help: 'refuse a trace with lock events that fit no run, instead of leaving those out with a warning',
      },
      {
        name: 'workers',
        type: 'number',
        value: 'N',
        min: 1,
        max: 256,
        help: 'threads that decide; left out, as many as there are cores once it takes a moment, and 1 runs in the process alone. The result is the same',
      },
      {
        name: 'time',
        type: 'number',
        value: 'SECONDS',
        min: 1,
        max: 86_400,
        help: 'stop after this long and print what is known until then; left out, there is no limit',
      },
      report,
      { name: 'json', type: 'flag', help: 'print JSON as in docs/finding.schema.json' },
      {
        name: 'json-lines',
        type: 'flag',
        help: 'print a line of JSON for each prediction as soon as it is known, and at the end one line with the rest of the document',
      },
      { name: 'order', type: 'flag', help: 'with --json and reports in JSON: every event of each order, not only its runs' },
      {
        name: 'fail-on',
        type: 'word',
        value: 'WHEN',
        values: ['none', 'predicted'],
        default: 'none',
        help: 'when the exit code is 1',
      },
      {
        name: 'limit',
        type: 'number',
        value: 'N',
        min: 0,
        max: Number.MAX_SAFE_INTEGER,
        default: 10,
        help: 'how many findings the text draws in full; the others get one line each',
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
    summary: 'say why event A must come before event B, or show an order in which it does not',
    details: 'Where several events share a position (a wait is three), the wake is meant for a wait and the first one otherwise.',
    example: 'heddle explain examples/account.txt 3 6',
    options: [model],
  },
  {
    name: 'show',
    positionals: [{ name: 'FILE', help: 'a trace, or the id of a finding' }],
    summary: 'print a trace in columns, one per task, or a finding in full',
    details:
      'The number on the left is the position of the event. Without --all no more than 200 events are printed, and how to see the rest is said.',
    example: 'heddle show examples/account.txt --around 9 --context 3',
    options: [
      { name: 'from', type: 'number', value: 'N', min: 0, max: MOST, help: 'only events at this position and later' },
      { name: 'to', type: 'number', value: 'N', min: 0, max: MOST, help: 'only events at this position and earlier' },
      { name: 'task', type: 'list', value: 'NAME', help: 'only this task; may be given several times' },
      { name: 'around', type: 'number', value: 'N', min: 0, max: MOST, help: 'only events around this position' },
      { name: 'context', type: 'number', value: 'N', min: 0, max: MOST, default: 5, help: 'how many events before and after --around' },
      { name: 'all', type: 'flag', help: 'print everything, however long' },
      {
        name: 'as-test',
        type: 'word',
        value: 'RUNNER',
        values: ['vitest', 'node', 'jest'],
        help: 'of a finding: print a regression test for this runner, which replays the schedule: it fails while the bug is there and passes when it is mended',
      },
    ],
  },
  {
    name: 'import',
    positionals: [
      { name: 'IN', help: 'a trace of any format' },
      { name: 'OUT', help: 'the Heddle trace file to write (.heddle)' },
    ],
    summary: 'store a trace in the binary format, which opens faster',
    details: 'OUT is written whole or not at all.',
    example: 'heddle import run.std run.heddle',
    options: [force],
  },
  {
    name: 'export',
    positionals: [
      { name: 'IN', help: 'a trace of any format' },
      { name: 'OUT', help: 'the file to write; .std, .txt or .heddle chooses the format' },
    ],
    summary: 'write a trace in another format',
    details: 'OUT is written whole or not at all.',
    example: 'heddle export run.heddle run.std',
    options: [
      {
        name: 'format',
        type: 'word',
        value: 'FORMAT',
        values: ['std', 'text', 'binary'],
        help: 'STD lines, a drawing in columns, or a Heddle trace file; left out, as the extension of OUT says',
      },
      force,
    ],
  },
  {
    name: 'client check',
    positionals: [{ name: 'FILE', help: 'a client file', many: 'some' }],
    summary: 'read client files (docs/clients.md) and say what is in them, or everything that is wrong with them',
    details: 'Exit code 2 when something is wrong.',
    example: 'heddle client check shop.client',
    options: [],
  },
  {
    name: 'client list',
    positionals: [{ name: 'FILE', help: 'a client file, to be listed after the library', many: 'any' }],
    summary: 'list the clients of databases that Heddle knows, and those of files',
    details: 'One line for each call: the client, its packages, how its statements are read, the call, and the file.',
    example: 'heddle client list',
    options: [{ name: 'json', type: 'flag', help: 'print JSON: an array with an object for each client' }],
  },
  {
    name: 'property check',
    positionals: [{ name: 'FILE', help: 'a property file', many: 'some' }],
    summary: 'read property files and say what is in them, or everything that is wrong with them',
    details: 'Exit code 2 when something is wrong.',
    example: 'heddle property check shop.prop',
    options: [],
  },
  {
    name: 'property list',
    positionals: [{ name: 'FILE', help: 'a property file, to be listed after the library', many: 'any' }],
    summary: 'list the properties and typestates that ship with Heddle, and those of files',
    details:
      'One line each: its name and parameters; on, or off until it is asked for by name; and whether a run that shows it is a bug (violation) or only if the program fails, too (failure).',
    example: 'heddle property list shop.prop',
    options: [{ name: 'json', type: 'flag', help: 'print JSON: an array with an object for each' }],
  },
  {
    name: 'property format',
    positionals: [{ name: 'FILE', help: 'a property file', many: 'some' }],
    summary: 'print property files in their one layout',
    details: 'Comments on lines of their own and at the ends of lines are kept; a file with a comment anywhere else is refused.',
    example: 'heddle property format shop.prop --write',
    options: [{ name: 'write', type: 'flag', help: 'write the files anew instead of printing them; says which ones changed' }],
  },
  {
    name: 'property infer',
    positionals: [{ name: 'TRACE', help: 'a trace of a run that passed', many: 'some' }],
    summary: 'print a first state machine for each class of objects in traces, as a guess',
    details:
      'From what at least two objects of a class did. What no object did is forbidden in it, though it may be right: read it and correct it before use.',
    example: 'heddle property infer run.heddle --class Pool',
    options: [
      { name: 'class', type: 'word', value: 'NAME', help: 'only this class, with those that extend it; left out, every class by itself' },
      {
        name: 'k',
        type: 'number',
        value: 'N',
        min: 0,
        max: 10,
        default: 1,
        help: 'how many operations ahead two states must agree; more makes more states',
      },
    ],
  },
  {
    name: 'property test',
    positionals: [{ name: 'DIR', help: 'a folder with programs (.js, .mjs, .cjs, .ts), or one program' }],
    summary: 'check sample programs, and see that the violations they expect are found where they say, and no others',
    details:
      'A comment // expect NAME stands on the line of one event of the violation; a program without one, or with // expect nothing or // ok, must stay silent. A line // flags: OPTIONS gives options of `heddle check`. Programs run in DIR, and nothing is left there. Exit code 1 when something is not as expected.',
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
        help: 'for each program, after its recorded run',
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
