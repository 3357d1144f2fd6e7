/** Hooks into Jest where it loads its runner, jest-circus: the function that is called for each test file is wrapped. No configuration is needed. */
import { Module } from 'node:module'
import { leaveNodeModulesAlone } from '../../runtime/js/load/index.ts'
import { leaveOutFrames } from '../../runtime/js/stack.ts'
import type { TestSessions } from '../contract.ts'
import { leaveChildrenAlone } from '../preloading.ts'
import { isJest, noteCommand, runAgain } from './again.ts'
import type { Adapter, TransformModule } from './api.ts'
import { Events } from './events.ts'
import { recordModules, withInstrumenting } from './modules.ts'
import { leaveOurFilesOut } from './watching.ts'

interface Loader {
  _load(request: string, parent: unknown, isMain: boolean): unknown
}

const RUNNER = /[\\/]jest-circus[\\/](?:build[\\/])?(?:runner|legacy-code-todo-rewrite[\\/]jestAdapter)(?:\.js)?$/
const JEST_FILES = /[\\/]node_modules[\\/](?:jest|jest-[\w-]+|@jest[\\/][\w-]+|expect|pretty-format|@sinonjs[\\/][\w-]+)[\\/]/

export function installJest(sessions: TestSessions): void {
  if (isJest()) leaveNodeModulesAlone()
  noteCommand()
  const loader = Module as unknown as Loader
  const { _load } = loader
  loader._load = function (request, parent, isMain) {
    const found = _load.call(this, request, parent, isMain)
    if (request === 'jest-haste-map') leaveOurFilesOut(found)
    if (request === '@jest/transform' && isTransform(found)) return (transform ??= withInstrumenting(found, sessions))
    return typeof request === 'string' && RUNNER.test(request) ? withSessions(found, sessions) : found
  }
}

let transform: TransformModule | undefined
const isTransform = (found: unknown): found is TransformModule =>
  typeof (found as Partial<TransformModule> | undefined)?.createScriptTransformer === 'function'

const known = new WeakMap<Adapter, Adapter>()

/** A function, or a module with a default export. */
function withSessions(found: unknown, sessions: TestSessions): unknown {
  if (typeof found === 'function') return adapterFor(found as Adapter, sessions)
  const { default: theirs } = (found ?? {}) as { readonly default?: unknown }
  return typeof theirs === 'function' ? { __esModule: true, default: adapterFor(theirs as Adapter, sessions) } : found
}

function adapterFor(theirs: Adapter, sessions: TestSessions): Adapter {
  const before = known.get(theirs)
  if (before !== undefined) return before
  // Not an async function: it would be in the stacks of the tests' errors.
  const ours: Adapter = (globalConfig, config, environment, runtime, file, ...rest) => {
    const again = runAgain(file, config)
    const run = (): Promise<unknown> => theirs(globalConfig, config, environment, runtime, file, ...rest)
    if (again === undefined) {
      sessions.leaveOut({ file, name: file }, 'Jest was not started by its own command')
      return run()
    }
    leaveOutFrames(JEST_FILES)
    // In the process of Jest itself workers may still have to be started.
    if (process.send !== undefined) leaveChildrenAlone()
    const modules = recordModules(environment)
    const events = new Events(sessions, file, again)
    const { handleTestEvent } = environment
    environment.handleTestEvent = async (event, state) => {
      await events.hear(event, state)
      await handleTestEvent?.call(environment, event, state)
    }
    return run().then((result) => {
      if (modules() === 0) sessions.leaveOut({ file, name: file }, 'none of its modules could be instrumented')
      return result
    })
  }
  known.set(theirs, ours)
  return ours
}
