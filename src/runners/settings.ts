/**
 * The settings of a test run: one file with what the runtime, the adapters and the analysis of each test need, named by HEDDLE_RUN in the environment
 * of the processes that run tests.
 */
import { writeJson } from '../base/json-file.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { cacheFor } from '../frontends/node/cache-folder.ts'
import { REGISTER } from '../frontends/node/start.ts'
import { effectsOf } from '../isolate/effects.ts'
import { Store } from '../store/store.ts'
import { declarationsOf } from '../property/choose.ts'
import type { TestConfig } from '../config/config.ts'
import type { Changed } from './changed.ts'
import { watchesOf } from '../property/watch.ts'
import { RUN_VARIABLE, type RunConfig } from '../runtime/js/protocol.ts'

/** Test runners and what they are made of: not the program's. */
const RUNNERS = [
  'vitest',
  '@vitest',
  'vite',
  'vite-node',
  'chai',
  'tinyspy',
  'tinyrainbow',
  'jest',
  'jest-*',
  '@jest',
  'expect',
  'pretty-format',
  '@sinonjs',
  'babel-jest',
  'tsx',
  'esbuild',
]

/** What may be said of every test (`heddle test`, a section of the configuration file), and of this run of them. */
export interface TestSettings extends TestConfig {
  /** Drop committed schedules that are fixed or stale, and write new ones also where `CI` is set. */
  readonly update: boolean
  /** Schedules that failed are not written beside the tests: a worker leaves its checkout as it is. */
  readonly leavesNoSchedules?: boolean
  /** Only tests that reach one of these are analysed. */
  readonly changed?: Changed | undefined
}

/** What the analysis of one test gets of it: TestsConfig.settings. */
export interface TestRunSettings extends TestSettings {
  readonly cwd: string
  /** When the run began: milliseconds since 1970. */
  readonly startedAt: number
}

export interface RecordTests {
  /** For the processes that run tests. */
  readonly env: Readonly<Record<string, string>>
  readonly execArgv: readonly string[]
  /** The folder of this run: tests/ has one for each test, summary-PID.json what each process looked at. */
  readonly runs: string
}

/** Makes a run of tests ready to be recorded. `say` is told what somebody should know before the first one in a project. */
export function recordTests(cwd: string, settings: TestSettings, say: (sentence: string) => void): RecordTests {
  if (!existsSync(join(cwd, '.heddle'))) say(realEffects(settings))
  const all: TestRunSettings = { ...settings, cwd, startedAt: Date.now() }
  const runs = Store.open(cwd).newRun()
  makeFolder(join(runs, 'tests'))
  const { properties } = declarationsOf(all.property, all.library)
  const config: RunConfig = {
    mode: 'record',
    trace: join(runs, 'trace.heddle'),
    report: join(runs, 'report.json'),
    timers: all.timers,
    root: cwd,
    include: all.include,
    exclude: [...all.exclude, ...RUNNERS.map((name) => `node_modules/${name}`)],
    detail: false,
    watch: watchesOf(properties),
    tests: { runs, settings: all },
    ...cacheFor(cwd, REGISTER),
  }
  const path = join(runs, 'tests.json')
  writeJson(path, config)
  return { env: { [RUN_VARIABLE]: path }, execArgv: ['--import', REGISTER.href], runs }
}

const realEffects = ({ replays, isolate }: TestSettings): string =>
  replays === 0
    ? 'Every test runs once, as always.'
    : `Every test that passes may run up to ${replays} times more, and ${effectsOf(isolate)}. --replays sets a limit; see docs/real-effects.md.`
