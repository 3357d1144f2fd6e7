/**
 * Vitest's own runner, with a session of Heddle around every try of a test: its beforeEach hooks, its body, its afterEach hooks and its
 * onTestFinished callbacks. Loaded in the process that runs tests. Without the runtime there it is only Vitest's runner.
 */
import { pathToFileURL } from 'node:url'
import type { BaseRunnerClass, Hook, Hooks } from './api.ts'

/** Since 4.1 the runner knows hooks and bodies itself. */
interface Old {
  readonly VitestTestRunner: BaseRunnerClass
  readonly getHooks: (suite: object) => Hooks
  readonly getFn: (test: object) => Hook
}

// Of the Vitest that runs here, whose worker this process was started with: where Heddle is linked another one may be nearer.
const inVitest = <T>(file: string): Promise<T> => import(new URL(`../${file}`, pathToFileURL(process.argv[1]!)).href) as Promise<T>

async function vitestRunner(): Promise<BaseRunnerClass> {
  const { TestRunner } = await inVitest<{ TestRunner?: BaseRunnerClass }>('index.js')
  if (TestRunner !== undefined) return TestRunner
  const { VitestTestRunner } = await inVitest<Old>('runners.js')
  const { getHooks, getFn } = await inVitest<Old>('suite.js')
  return Object.assign(VitestTestRunner, { getSuiteHooks: getHooks, getTestFn: getFn })
}

/** Of preload.ts: not there in a process that Heddle has nothing to do with. */
const recording = (globalThis as Record<symbol, unknown>)[Symbol.for('heddle.vitest')] as
  ((base: BaseRunnerClass) => BaseRunnerClass) | undefined
const base = await vitestRunner()

export default recording?.(base) ?? base
