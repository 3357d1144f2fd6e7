/** Replaces `node:test` by module.cts: for ES modules by a loader hook, for CommonJS where `require` resolves modules. */
import * as nodeModule from 'node:module'
import type { TestSessions } from '../contract.ts'
import { isForUs, OURS, type ResolveContext } from './resolve.ts'
import { wrapNodeTest, type NodeTest } from './wrap.ts'

interface SyncHooks {
  registerHooks?(hooks: { resolve(specifier: string, context: ResolveContext, next: Next): unknown }): void
}
type Next = (specifier: string, context: ResolveContext) => unknown
interface Loader {
  _load(request: string, parent: unknown, isMain: boolean): unknown
}

export function installNodeTest(sessions: TestSessions): void {
  const wrap = (real: unknown): unknown => (typeof real === 'function' ? wrapNodeTest(real as NodeTest, sessions) : real)
  Object.defineProperty(globalThis, Symbol.for('heddle.node-test'), { value: wrap, configurable: true })
  const loader = nodeModule.Module as unknown as Loader
  const { _load } = loader
  loader._load = function (request, parent, isMain) {
    const found = _load.call(this, request, parent, isMain)
    return request === 'node:test' ? wrap(found) : found
  }
  const { registerHooks } = nodeModule as SyncHooks
  if (registerHooks === undefined) nodeModule.register('./resolve.js', { parentURL: import.meta.url })
  else
    registerHooks({
      resolve: (specifier, context, next) =>
        isForUs(specifier, context) ? { url: OURS, format: 'commonjs', shortCircuit: true } : next(specifier, context),
    })
}
