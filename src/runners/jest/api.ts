/** The parts of Jest (29 and 30, with its runner jest-circus) that the adapter uses, as far as it uses them. */

export type Fn = (this: unknown, ...args: unknown[]) => unknown

export interface CircusTest {
  readonly type: 'test'
  readonly name: string
  readonly parent: Describe
  readonly concurrent?: boolean
  readonly failing?: boolean
  readonly errors: unknown[]
  readonly asyncError: unknown
  mode?: string | null | undefined
  fn?: Fn | undefined
}

export interface Hook {
  readonly type: 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll'
  fn: Fn
}

export interface Describe {
  readonly type: 'describeBlock'
  readonly name: string
  readonly parent?: Describe
  readonly children: readonly (Describe | CircusTest)[]
  mode?: string | null | undefined
}

export interface Event {
  readonly name: string
  readonly test?: CircusTest
  readonly hook?: Hook
}

export interface State {
  readonly rootDescribeBlock: Describe
}

export interface Environment {
  readonly global: object
  handleTestEvent?(event: Event, state: State): unknown
}

export interface Transformed {
  readonly code: string
}

export interface TransformOptions {
  readonly supportsStaticESM?: boolean
}

export interface Transformer {
  transform(file: string, options?: TransformOptions, ...rest: unknown[]): Transformed
  transformAsync(file: string, options?: TransformOptions, ...rest: unknown[]): Promise<Transformed>
}

/** The module @jest/transform. */
export interface TransformModule {
  createScriptTransformer(...args: unknown[]): Promise<Transformer>
}

export interface ProjectConfig {
  readonly rootDir: string
  readonly displayName?: { readonly name: string }
}

/** What jest-circus/runner exports: it is called for each test file. */
export type Adapter = (
  globalConfig: object,
  config: ProjectConfig,
  environment: Environment,
  runtime: object,
  testPath: string,
  ...rest: unknown[]
) => Promise<unknown>
