/** Loader hooks for Node 20, which runs them in a thread of their own. What became of each module is posted back. */
import type { LoadHook } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { MessagePort } from 'node:worker_threads'
import { RUNTIME } from '../../../instrument/hooks.ts'
import { PATHS_RUNTIME } from '../../../instrument/paths/hooks.ts'
import { idleHooks } from '../memory/idle.ts'
import { IDLE_PATHS } from '../paths/idle.ts'
import { Transformer, type LoadConfig } from './transform.ts'

let transformer: Transformer | undefined

export function initialize({ config, port }: { config: LoadConfig | undefined; port: MessagePort }): void {
  // Loaders that come after this one run in this thread, instrumented like any module.
  Object.defineProperty(globalThis, Symbol.for(RUNTIME), { value: idleHooks, configurable: true })
  Object.defineProperty(globalThis, Symbol.for(PATHS_RUNTIME), { value: () => IDLE_PATHS, configurable: true })
  if (config !== undefined) transformer = new Transformer(config, ({ file, why, source }) => port.postMessage({ file, why, source }))
}

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  if (transformer === undefined || loaded.format !== 'module' || !loaded.source || !url.startsWith('file:')) return loaded
  const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
  const code = transformer.transform(fileURLToPath(url), source, 'module')
  return code === undefined ? loaded : { ...loaded, source: code }
}
