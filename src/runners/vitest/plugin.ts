/**
 * The Vitest plugin. In Vite's process: adds the runtime and our runner to the processes that run tests, instruments what Vite serves to them, and
 * prints at the end of a run what was analysed. If tests cannot be recorded, nothing is changed, and the end of the run says why.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { REGISTER } from '../../frontends/node/start.ts'
import { RUN_VARIABLE, type RunConfig } from '../../runtime/js/protocol.ts'
import type { TestSummary } from '../contract.ts'
import { gatherDocuments } from '../document.ts'
import { version } from '../../about.ts'
import { recordTests, type RecordTests, type TestRunSettings } from '../settings.ts'
import { againFor } from './again.ts'
import type { ConfigureVitest, Project, TransformContext, VitestCore } from './api.ts'
import { HANDED, type Handed } from './handed.ts'
import { ServedModules, type Transformed } from './modules.ts'
import { settingsFrom, type HeddleOptions } from './options.ts'
import { SayAtEnd } from './say-at-end.ts'

export type { HeddleOptions } from './options.ts'

/** As much of a Vite plugin as it is. */
export interface HeddlePlugin {
  readonly name: 'heddle'
  readonly enforce: 'post'
  configureVitest(context: never): Promise<void>
  readonly transform: {
    readonly order: 'post'
    handler(this: never, code: string, id: string): never
  }
}

const PRELOAD = new URL('./vitest.js', REGISTER).href
const RUNNER = fileURLToPath(new URL('./runner.js', import.meta.url))

/** Vite's environments for what runs in its own process. */
const IN_VITE = new Set(['__vitest__', '__vitest_vm__'])

export default function heddle(options: HeddleOptions = {}): HeddlePlugin {
  if (process.env['HEDDLE'] === 'off') return { name: 'heddle' } as HeddlePlugin
  /** What to do with the modules of a project, by its resolved config: one plugin may be used in several. */
  const served = new WeakMap<object, ServedModules>()

  const plugin = {
    name: 'heddle',
    enforce: 'post',
    async configureVitest({ vitest, project, experimental_defineCacheKeyGenerator }: ConfigureVitest): Promise<void> {
      const run = await runOf(vitest, options)
      const why = whyNot(vitest, project)
      if (why !== undefined) {
        run.say?.leaveOut(project.name, why)
        return
      }
      served.set(project.vite.config, new ServedModules(run.config))
      experimental_defineCacheKeyGenerator?.(() => `heddle ${JSON.stringify(run.config.exclude)}`)
      project.config.runner = RUNNER
      project.config.execArgv = [...(project.config.execArgv ?? []), ...run.execArgv, '--import', PRELOAD]
      project.config.env = { ...project.config.env, ...run.env }
      const { only } = run.config.tests ?? {}
      // Filters of the command line are parts of paths: they may let other files in.
      if (only !== undefined) project.config.include = [globOf(only.file)]
      const handed: Handed = { again: againFor(vitest, project, await commandLine(vitest)) }
      project.provide(HANDED, handed)
    },
    transform: {
      order: 'post',
      handler(this: TransformContext, code: string, id: string): Transformed | undefined {
        const { environment } = this
        if (environment === undefined || IN_VITE.has(environment.name)) return undefined
        return served.get(environment.getTopLevelConfig())?.transform(code, id, this)
      },
    },
  }
  return plugin as unknown as HeddlePlugin
}

interface Run extends Omit<RecordTests, 'runs'> {
  readonly config: RunConfig
  readonly say: SayAtEnd | undefined
}

const runs = new WeakMap<VitestCore, Promise<Run>>()

/** All projects of a Vitest share one. */
function runOf(vitest: VitestCore, options: HeddleOptions): Promise<Run> {
  let run = runs.get(vitest)
  if (run === undefined) runs.set(vitest, (run = makeRun(vitest, options)))
  return run
}

async function makeRun(vitest: VitestCore, options: HeddleOptions): Promise<Run> {
  const { root, snapshotOptions, reporters } = vitest.config
  // A replay, or a run that something around Vitest records: it has said what is to be done.
  const given = process.env[RUN_VARIABLE]
  const { env, execArgv }: Omit<RecordTests, 'runs'> =
    given === undefined
      ? recordTests(root, await settingsFrom(options, root, snapshotOptions.updateSnapshot === 'all'), sayFirst)
      : { env: {}, execArgv: ['--import', REGISTER.href] }
  const config = JSON.parse(readFileSync(given ?? env[RUN_VARIABLE]!, 'utf8')) as RunConfig
  const gather = (summary: TestSummary): void => {
    // What runs around Vitest gathers them itself.
    if (given !== undefined) return
    gatherDocuments({
      runs: config.tests!.runs,
      root,
      command: ['vitest', ...process.argv.slice(2)],
      summary,
      version: version(),
      settings: config.tests!.settings as TestRunSettings,
    })
  }
  const say = config.mode === 'record' ? new SayAtEnd(gather) : undefined
  if (say !== undefined) reporters.push(say)
  return { env, execArgv, config, say }
}

/** Not to the output: that may be the report of a reporter. */
const sayFirst = (sentence: string): unknown => process.stderr.write(`Heddle: ${sentence}\n`)

/** Why tests of a project cannot be recorded. */
function whyNot(vitest: VitestCore, { config }: Project): string | undefined {
  if (Number.parseInt(vitest.version, 10) < 4) return `Vitest ${vitest.version} is too old: Heddle needs Vitest 4`
  if (config.mode === 'benchmark') return 'benchmarks are not recorded'
  if (config.browser?.enabled) return 'tests in a browser are not recorded'
  if (config.pool !== 'forks') return `tests in the pool '${config.pool}' are not recorded: set test.pool to 'forks'`
  if (config.runner !== undefined) return 'test.runner is set, and Heddle needs a runner of its own'
  if (vitest.config.coverage.enabled) return 'coverage is on, and it would count the code Heddle puts in: run the tests without it'
  return undefined
}

/** What the user's command line said, if it is Vitest's. */
async function commandLine(vitest: VitestCore): Promise<Readonly<Record<string, unknown>>> {
  const program = basename(process.argv[1] ?? '')
  if (program !== 'vitest.mjs' && program !== 'vitest') return {}
  try {
    const { parseCLI } = (await import(pathToFileURL(join(vitest.distPath, 'node.js')).href)) as {
      parseCLI(words: string[]): { options: Record<string, unknown> }
    }
    return parseCLI(['vitest', ...process.argv.slice(2)]).options
  } catch {
    return {}
  }
}

const globOf = (path: string): string => path.replace(/[\\*?[\]{}()!+@|]/g, '\\$&')
