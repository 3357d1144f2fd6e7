/**
 * The parts of Vite and Vitest that the plugin and the runner use. Declared here and not imported: the plugin must be usable from TypeScript where
 * Vite's own types cannot be found (it is a dependency of Vitest, not of the project).
 */

/** A resolved project: what `configureVitest` is given. */
export interface Project {
  readonly name: string
  readonly vite: { readonly config: object & { readonly configFile?: string | undefined } }
  readonly config: ProjectConfig
  provide(key: string, value: unknown): void
}

export interface ProjectConfig {
  readonly root: string
  readonly mode: string
  readonly pool: string
  readonly browser?: { readonly enabled?: boolean }
  runner?: string | undefined
  execArgv?: string[]
  env?: Record<string, string>
  include: string[]
}

export interface VitestCore {
  readonly version: string
  /** Where Vitest's own files are. */
  readonly distPath: string
  readonly vite: { readonly config: { readonly configFile?: string | undefined } }
  readonly config: {
    readonly root: string
    readonly watch: boolean
    readonly coverage: { readonly enabled?: boolean }
    readonly snapshotOptions: { readonly updateSnapshot: string }
    readonly reporters: unknown[]
  }
}

export interface ConfigureVitest {
  readonly vitest: VitestCore
  readonly project: Project
  experimental_defineCacheKeyGenerator?(make: () => string): void
}

/** `this` of a `transform` hook. */
export interface TransformContext {
  readonly environment?: { readonly name: string; getTopLevelConfig(): object }
  getCombinedSourcemap(): { readonly mappings: string; readonly sources: readonly (string | null)[] }
}

/** A test as Vitest's runner sees it, in the process that runs it. */
export interface Task {
  readonly type: 'test' | 'suite'
  readonly name: string
  readonly fullTestName?: string
  readonly suite?: Suite
  readonly file: TestFile
  readonly concurrent?: boolean
  readonly fails?: boolean
  mode: string
  retry?: unknown
  repeats?: number
  meta: Record<string, unknown>
  result?: { state: string; errors?: unknown[] }
  onFinished?: ((context: unknown) => unknown)[]
  onFailed?: ((context: unknown) => unknown)[]
}

export interface Suite extends Task {
  readonly tasks: Task[]
}

export interface TestFile extends Suite {
  readonly filepath: string
}

export type Hook = (...args: unknown[]) => unknown
export type Hooks = Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', Hook[]>

/** A module that Vite transformed, before it is evaluated. */
export interface Evaluator {
  runInlinedModule(context: unknown, code: string, module: { readonly id: string; readonly file?: string }): Promise<unknown>
}

/** Vitest's own runner. */
export interface BaseRunner {
  config: { testTimeout: number; hookTimeout: number }
  readonly moduleRunner?: { readonly evaluator?: Evaluator }
  injectValue(key: string): unknown
  importFile(path: string, source: string): unknown
  onCollectStart(file: TestFile): unknown
  onBeforeRunSuite(suite: Suite): Promise<void>
  onAfterRunSuite(suite: Suite): Promise<void>
  onBeforeTryTask(test: Task): void
  onAfterTryTask(test: Task): void
}

export interface BaseRunnerClass {
  new (config: BaseRunner['config']): BaseRunner
  getSuiteHooks(suite: object): Hooks | undefined
  getTestFn(test: object): Hook | undefined
}
