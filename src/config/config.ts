/** `heddle.config.ts`: the options of `heddle check`, and in its section `test` those of test runners. Flags of the command line take precedence. */
import { isRecord } from '../base/objects.ts'
import { isInside } from '../base/real-place.ts'
import { basename, dirname, resolve } from 'node:path'
import { COMMANDS, TEST_OPTIONS, type OptionRow } from '../options/table.ts'
import { Arguments, type Given } from '../options/parse.ts'
import type { Timers } from '../schedule/schedule.ts'
import { commandInData, notHere, reportOutside } from './errors.ts'
import { wrongValue } from '../options/errors.ts'
import { checkedBudget } from '../options/settings-of.ts'
import { findConfig, readConfig } from './file.ts'
import type { TestSettings } from '../options/settings.ts'
import { givenBy, type ValuesFrom } from '../options/values.ts'

export interface LoadedConfig {
  /** Undefined when there is none. */
  readonly file: string | undefined
  /** Options of `heddle check` by the names of their flags: for `Arguments.over`. */
  readonly check: Given
  readonly test: TestConfig
  /** The same for `heddle test`, whose flags count more. */
  readonly testGiven: Given
}

/** What test runners go by: everything has a value. */
export interface TestConfig {
  /** Seconds for one test after its recorded run. */
  readonly time: number
  readonly isTimeSaid?: boolean | undefined
  readonly replays: number
  /** For all tests: src/runners/suite-budget.ts. */
  readonly budget: string
  readonly maxFindings: number
  readonly confirm: number
  /** What each replay has of its own; left out, files, where that can be done. */
  readonly isolate: readonly ('files' | 'none')[] | undefined
  readonly timers: Timers
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Files, absolute, or `library:NAME`. */
  readonly property: readonly string[]
  readonly library: boolean
  /** Run every test without delays, to see whether it varies. */
  readonly whyVaries: boolean
  /** Departures from the recorded run of a test; left out, none is explored. */
  readonly depth: number | undefined
  readonly exhaustive: boolean
  /** Leave out orders that an earlier run replayed without a failure, with the same code. */
  readonly history: boolean
  /** Globs of test files that run without Heddle. */
  readonly off: readonly string[]
}

/** Of which `test` has its own where the top of the file has them, too: those of a check are too large for one test. */
const BUDGETS = ['time', 'replays', 'max-findings', 'budget', 'depth', 'exhaustive']
/** With `exhaustive` only the time counts. */
const MOST_REPLAYS = 1_000_000
/** Of `heddle check`, but not of a file. */
const ONLY_FLAG = 'config'
/** Where work goes, and with whose credentials, nobody decides who only wrote a file of the checkout. */
const ONLY_SAID = [ONLY_FLAG, 'queue', 'queue-creds', 'queue-silence', 'resume']
/** Shell commands. */
const COMMANDS_IN_FILES = ['before-each', 'after-each']

/** `which`: a file, or `none` to read no file. Left out, the file is looked for from `cwd` upwards. */
export async function loadConfig(cwd: string, which?: string): Promise<LoadedConfig> {
  const file = which === 'none' ? undefined : which === undefined ? findConfig(cwd) : resolve(cwd, which)
  if (file === undefined) return { file, check: new Map(), test: testConfig(new Map()), testGiven: new Map() }
  const { test = {}, $schema: _, ...values } = await readConfig(file)
  const place: ValuesFrom = { name: basename(file), folder: dirname(file) }
  if (values[ONLY_FLAG] !== undefined) throw notHere(place.name, ONLY_FLAG, 'it is this file')
  if (!isRecord(test)) throw wrongValue(place.name, 'test', JSON.stringify(test), 'an object, as in `test: { time: 10 }`')
  const check = givenBy(values, configOptions(), place)
  // The file comes with the checkout: what it names is written without anybody having said so.
  for (const report of check.get('report') ?? []) if (!isInside(report, place.folder)) throw reportOutside(place.name, report)
  // Data has no power: commands stand in code, which the project runs anyway, or on the command line.
  const hook = file.endsWith('.json') ? COMMANDS_IN_FILES.find((name) => check.has(name)) : undefined
  if (hook !== undefined) throw commandInData(place.name, hook)
  const own = givenBy(test as Readonly<Record<string, unknown>>, TEST_OPTIONS, { ...place, name: `${place.name}, test,` })
  const shared = [...check].filter(([name]) => !BUDGETS.includes(name) && TEST_OPTIONS.some((row) => row.name === name))
  const testGiven = new Map([...shared, ...own])
  return { file, check, test: testConfig(testGiven), testGiven }
}

/** What may stand at the top of a configuration file. */
export const configOptions = (): readonly OptionRow[] =>
  COMMANDS.find((c) => c.name === 'check')!.options.filter((o) => !ONLY_SAID.includes(o.name))

/** The same with what a plugin of a test runner was given, which counts more. */
export const testConfigOver = ({ testGiven }: LoadedConfig, written: TestSettings, place: ValuesFrom): TestConfig =>
  testConfig(new Map([...testGiven, ...givenBy({ ...written }, TEST_OPTIONS, place)]))

const testConfig = (given: Given): TestConfig => testConfigOf(new Arguments({ name: 'test', options: TEST_OPTIONS }, new Map(), given))

/** The same from a command line. */
export function testConfigOf(args: Arguments): TestConfig {
  return {
    time: args.number('time')!,
    isTimeSaid: args.isSaid('time'),
    replays: args.flag('exhaustive') ? MOST_REPLAYS : args.number('replays')!,
    budget: checkedBudget(args.word('budget'))!,
    maxFindings: args.number('max-findings')!,
    whyVaries: args.flag('why-varies'),
    depth: args.number('depth'),
    exhaustive: args.flag('exhaustive'),
    confirm: args.number('confirm')!,
    isolate: isolateOf(args.words('isolate')),
    timers: args.word<Timers>('timers')!,
    include: args.list('include'),
    exclude: args.list('exclude'),
    property: args.list('property'),
    library: args.word('library') === 'on',
    history: args.word('history') === 'on',
    off: args.list('off'),
  }
}

/** A network of its own has to be there when a test is recorded, which runs in the process of its runner: what a file says of that is for programs. */
function isolateOf(words: readonly string[] | undefined): TestConfig['isolate'] {
  if (words === undefined) return undefined
  return words.includes('files') ? ['files'] : ['none']
}
