/**
 * Jest compiles modules itself, with a global object of their own. They are instrumented when they come out of Jest's transformer, which has a cache
 * on disk: the cached code stays uninstrumented. Every test file has a transformer of its own.
 */
import { HOOKS, RUNTIME } from '../../instrument/hooks.ts'
import { PATHS_RUNTIME } from '../../instrument/paths/hooks.ts'
import type { TestSessions } from '../contract.ts'
import type { Environment, Transformed, TransformModule, Transformer, TransformOptions } from './api.ts'

const NAMES: readonly PropertyKey[] = [Symbol.for(RUNTIME), Symbol.for(PATHS_RUNTIME), HOOKS, `${HOOKS}T`]

interface Instrumenting {
  /** Not before the hooks are in the global of the test file: setup files run without. */
  active: boolean
  /** Modules that came out instrumented. */
  modules: number
}

/** Of the transformer made last: that of the test file which is about to run. */
let latest: Instrumenting | undefined

/** The module @jest/transform, with transformers that instrument. */
export function withInstrumenting(found: TransformModule, sessions: TestSessions): TransformModule {
  const createScriptTransformer: TransformModule['createScriptTransformer'] = async (...args) => {
    const transformer = await found.createScriptTransformer(...args)
    latest = instrument(transformer, sessions)
    return transformer
  }
  return Object.create(found, { createScriptTransformer: { value: createScriptTransformer, enumerable: true } }) as TransformModule
}

function instrument(transformer: Transformer, sessions: TestSessions): Instrumenting {
  const state: Instrumenting = { active: false, modules: 0 }
  const known = new Map<string, { readonly theirs: string; readonly code: string }>()
  const ours = (file: string, options: TransformOptions | undefined, result: Transformed): Transformed => {
    if (!state.active || file.endsWith('.json')) return result
    const before = known.get(file)
    if (before?.theirs === result.code) return { ...result, code: before.code }
    const code = sessions.instrument(file, result.code, options?.supportsStaticESM ? 'module' : 'commonjs')
    if (code === undefined) return result
    state.modules++
    known.set(file, { theirs: result.code, code })
    return { ...result, code }
  }
  const { transform, transformAsync } = transformer
  transformer.transform = (file, options, ...rest) => ours(file, options, transform.call(transformer, file, options, ...rest))
  transformer.transformAsync = async (file, options, ...rest) =>
    ours(file, options, await transformAsync.call(transformer, file, options, ...rest))
  return state
}

/** From now on the modules of a test file are instrumented. Call what it returns to know how many were. */
export function recordModules({ global }: Environment): () => number {
  for (const name of NAMES) {
    const hook = Object.getOwnPropertyDescriptor(globalThis, name)
    if (hook !== undefined) Object.defineProperty(global, name, hook)
  }
  const state = latest
  if (state === undefined) return () => 0
  state.active = true
  return () => state.modules
}
